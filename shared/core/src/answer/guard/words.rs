//! The words that the guard knows, folded as [`crate::text::fold`] does it.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

pub(super) type Words = HashSet<&'static str>;

pub(super) fn words(text: &'static str) -> Words {
    text.split_whitespace().collect()
}

/// Runs of words, found by their first.
pub(super) struct Phrases(HashMap<&'static str, Vec<&'static str>>);

impl Phrases {
    /// Takes them apart at the commas.
    fn new(text: &'static str) -> Self {
        let mut phrases: HashMap<_, Vec<_>> = HashMap::new();
        for phrase in text.split(',').map(str::trim) {
            let first = phrase.split(' ').next().unwrap_or_default();
            phrases.entry(first).or_default().push(phrase);
        }
        Self(phrases)
    }

    /// Whether one of them stands in `" one two "`.
    pub(super) fn stand_in(&self, spoken: &str) -> bool {
        let at = spoken.match_indices(' ').map(|(at, _)| &spoken[at + 1..]);
        at.filter(|rest| !rest.is_empty())
            .any(|rest| self.begin(rest))
    }

    fn begin(&self, rest: &str) -> bool {
        let first = rest.split(' ').next().unwrap_or_default();
        self.0.get(first).is_some_and(|phrases| {
            phrases.iter().any(|phrase| {
                rest.strip_prefix(phrase)
                    .is_some_and(|rest| rest.starts_with(' '))
            })
        })
    }

    /// Whether one of them ends `" one two "`.
    pub(super) fn end(&self, spoken: &str) -> bool {
        let spoken = spoken.trim_end();
        self.0.values().flatten().any(|phrase| {
            spoken
                .strip_suffix(phrase)
                .is_some_and(|rest| rest.ends_with(' '))
        })
    }
}

/// Words of the shop's currency beside an amount.
pub(super) static EUROS: LazyLock<Words> = LazyLock::new(|| words("eur euro euros"));

pub(super) static CENTS: LazyLock<Words> =
    LazyLock::new(|| words("centimo centimos cent cents cts centimes"));

/// Money that the shop does not count in.
pub(super) static OTHER_MONEY: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     usd gbp mxn ars cop clp dolar dolares dollar dollars peso pesos libra libras pound pounds quid penny pence yen \
     yenes bucks buck pavo pavos pelas pesetas duros eurillos eurazos euritos euracos machacantes lereles pasta \
     francos francs reales soles reais btc bitcoins yuanes moneda monedas calderilla",
    )
});

/// Those of them that are nothing else.
pub(super) static CURRENCIES: LazyLock<Words> = LazyLock::new(|| {
    words("usd gbp mxn dolar dolares dollar dollars pesetas yenes btc bitcoins calderilla")
});

/// What an amount follows.
pub(super) static COSTS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     cuesta cuestan costaba costaban costara costaran costo coste vale valen valia valdra precio precios pvp \
     importe cobramos pagas pagaras price prices priced cost costs costing worth pay",
    )
});

/// Before an exact amount they make another of it.
pub(super) static ABOUT: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "\
     menos de, mas de, mitad de, doble de, triple de, tercio de, cuarto de, parte de, half of, half, twice, double, \
     por debajo de, alrededor de, cerca de, casi, unos, unas, aproximadamente, apenas, less than, \
     more than, under, over, about, around, almost, nearly, roughly, below",
    )
});

/// More than one, whatever they are.
pub(super) static SEVERAL: LazyLock<Words> = LazyLock::new(|| {
    words("ambos ambas todos todas juntos juntas pack lote both all together bundle")
});

/// What copies are called.
pub(super) static COPIES: LazyLock<Words> = LazyLock::new(|| {
    words("ejemplar ejemplares copia copias unidad unidades copy copies unit units")
});

/// Words after a count of copies that need no noun.
pub(super) static IN_STOCK: LazyLock<Words> = LazyLock::new(|| {
    words("disponible disponibles available left stock existencias restantes remaining")
});

/// Before "stock", after a count of copies.
pub(super) static STOCKED_AFTER: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     en in",
    )
});

/// Words before a count of copies.
pub(super) static STOCKED: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     queda quedan quedaban hay tenemos tengo stock existencias disponibles ejemplares copies have left remain \
     agotado agotada sold out unidades",
    )
});

/// What is said of copies that are still there.
pub(super) static LEFT: LazyLock<Words> =
    LazyLock::new(|| words("queda quedan quedaban restan left remain remains remaining"));

/// After a denial they say that there are no copies.
pub(super) static HAS: LazyLock<Words> =
    LazyLock::new(|| words("tenemos tengo hay dispongo disponemos have got carry"));

pub(super) static DENIES: LazyLock<Words> =
    LazyLock::new(|| words("no not t sin ni never nunca cannot"));

/// What the books of an answer are counted in.
pub(super) static BOOKS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     libro libros titulo titulos novela novelas resultado resultados opcion opciones coincidencia coincidencias \
     propuesta propuestas sugerencia sugerencias recomendacion recomendaciones obras book books title titles novel \
     novels result results option options match matches suggestions picks",
    )
});

/// Before a count of the books of an answer.
pub(super) static ARTICLES: LazyLock<Words> =
    LazyLock::new(|| words("los las estos estas otros otras mis the these those other my"));

/// What many titles begin with.
pub(super) static TITLE_ARTICLES: LazyLock<Words> =
    LazyLock::new(|| words("el la los las un una unos unas the an"));

/// What a book's number follows.
pub(super) static NUMBERS: LazyLock<Words> = LazyLock::new(|| {
    words("numero num n nº no id libro ref referencia codigo number book reference code")
});

/// Units of which no result states anything.
pub(super) static UNITS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     pagina paginas page pages pag pags estrella estrellas star stars punto puntos point points capitulo capitulos \
     chapter chapters premio premios prize prizes award awards volumen volumenes tomo tomos volume volumes edicion \
     ediciones edition editions ano anos year years lector lectores reader readers idioma idiomas languages millon \
     millones million mil thousand personas people veces times opiniones reviews kilos gramos cm km",
    )
});

/// A length of time.
pub(super) static TIMES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     minuto minutos hora horas h hs hrs dia dias semana semanas mes meses minute minutes hour hours day days week \
     weeks month months am pm working business",
    )
});

/// What a title made of digits is not followed by.
pub(super) static MEASURED: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     eur euro euros ejemplar ejemplares copia copias unidad unidades copy copies units unit libros books titulos \
     titles disponibles available left en in paginas pages dias days horas hours semanas weeks dolares dollars \
     pesos centimos cents",
    )
});

/// What a title made of digits does not follow, unless it is quoted.
pub(super) static BEFORE_FIGURES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     de del of en in ano year desde since from hasta until por for cuesta cuestan vale valen precio price costs \
     cost isbn numero number id n nº no quedan queda hay tenemos eur euros con y and stock solo",
    )
});

/// Numbers in words; one and a half are too common to be.
static NUMERALS: LazyLock<HashMap<&str, u64>> = LazyLock::new(|| {
    let pairs = "\
     dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trece=13 catorce=14 \
     quince=15 dieciseis=16 diecisiete=17 dieciocho=18 diecinueve=19 veinte=20 veintiun=21 veintiuno=21 \
     veintiuna=21 veintidos=22 veintitres=23 veinticuatro=24 veinticinco=25 veintiseis=26 veintisiete=27 \
     veintiocho=28 veintinueve=29 treinta=30 cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90 \
     cien=100 ciento=100 doscientos=200 doscientas=200 trescientos=300 trescientas=300 cuatrocientos=400 cuatrocientas=400 quinientos=500 quinientas=500 seiscientos=600 seiscientas=600 setecientos=700 setecientas=700 ochocientos=800 ochocientas=800 novecientos=900 novecientas=900 mil=1000 \
     docena=12 docenas=24 decena=10 decenas=20 centenar=100 centenares=200 cientos=200 millar=1000 millares=2000 miles=2000 \
     millon=1000000 millones=2000000 tropecientos=999 tropecientas=999 two=2 three=3 four=4 five=5 six=6 seven=7 \
     eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 \
     eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 \
     hundred=100 hundreds=200 thousand=1000 thousands=2000 million=1000000 millions=2000000 dozen=12 dozens=24";
    pairs
        .split_whitespace()
        .filter_map(|pair| pair.split_once('='))
        .filter_map(|(word, number)| Some((word, number.parse().ok()?)))
        .collect()
});

pub(super) static ONES: LazyLock<Words> = LazyLock::new(|| words("un una uno one single"));

/// The word of a number.
pub(super) fn numeral(word: &str) -> Option<u64> {
    NUMERALS.get(word).copied()
}

pub(super) static OF: LazyLock<Words> = LazyLock::new(|| words("de del by d of"));

/// First words of a sentence that may stand before "de" and a name without being a title.
pub(super) static BEFORE_NAMES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     libro libros novela novelas obra obras cuento cuentos relato relatos poema poemas poemario ensayo ensayos \
     biografia memorias clasico clasicos autor autora titulo titulos edicion ediciones ejemplar ejemplares \
     coleccion antologia historia lectura lecturas escrito escrita publicado publicada editado editada es son era \
     esta estan tengo tenemos hay queda quedan mas algo nada todo todos otro otra otros otras uno una dos tres \
     ambos tambien ademas aparte cerca antes despues dentro fuera precio sinopsis resumen argumento protagonistas \
     fans lectores amantes seguidores mejores mejor disponible disponibles stock isbn written published book books \
     novel novels story stories work works poems essays another one more something anything two three both all fan \
     copies",
    )
});

/// Words that a shop says with a capital.
pub(super) static SAID: LazyLock<Words> =
    LazyLock::new(|| words("isbn eur pvp ok i usted ustedes ud vd english spanish id"));

pub(super) static CENTURIES: LazyLock<Words> = LazyLock::new(|| words("siglo siglos s century y"));

/// Words that say an amount is not what it is. With spaces around, of what a line says.
pub(super) static DISCOUNTS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "\
     descuento, descuentos, descontado, descontada, dto, rebaja, rebajas, rebajado, rebajada, rebajados, rebajadas, \
     rebajamos, oferta, ofertas, oferton, promocion, promociones, promo, ganga, gangas, chollo, chollos, gratis, \
     gratuito, gratuita, gratuitos, gratuitas, gratuitamente, regalamos, regalado, regalada, te regalo, lo regalo, \
     la regalo, los regalo, va de regalo, otro de regalo, uno de regalo, llevas de regalo, cupon, cupones, codigo \
     promocional, vale descuento, mitad de precio, mitad del precio, mitad de su precio, medio precio, a mitad, por \
     la mitad, dos por uno, tres por dos, 2x1, liquidacion, outlet, black friday, cyber monday, sin coste, sin \
     costo, sin cargo, sin pagar, coste cero, cero euros, no cuesta nada, no cuestan nada, no te cuesta nada, \
     invita la casa, por ciento, porciento, reembolso, ahorras, ahorra un, mas barato que, precio especial, free of \
     charge, for free, free shipping, no charge, at no cost, no cost, complimentary, on the house, half price, half \
     the price, half its price, half off, discount, discounts, discounted, percent, per cent, coupon, coupons, \
     voucher, promo code, clearance, marked down, markdown, reduced price, price cut, cashback, two for one, buy \
     one get, special price, on sale, summer sale, winter sale, flash sale, our sale, the sale, a sale, sale price, \
     sale ends, refund, cuesta la mitad, cuestan la mitad, ahora la mitad, la mitad que, por cien, paga dos, paga \
     uno, pagas dos, hacemos precio, a cero, costs nothing, t cost you, cost you anything, on us, half the usual, \
     half its usual, half of what, tenner, fiver, de menos, ha bajado, ha bajado de precio, bajada de precio, bajo \
     a, rebajo, dropped to, al mes, per month, a month, down from, ambos cuestan, ambas cuestan, ambos valen, ambas \
     valen, los dos cuestan, las dos cuestan, both cost, both are priced, todos cuestan, todas cuestan, all cost, \
     mismo precio, same price, cost the same, costs the same, cuesta lo mismo, vale lo mismo, cuestan lo mismo, \
     valen lo mismo, § lo mismo, and save, save money, you save, savings, y medio euros, baratisimo, tirado de \
     precio, tirada de precio, desconto, rebaixa, rebaixas, descompte, sconto, rabatt",
    )
});

/// Months and days of the week, and other words that name a day.
pub(super) static DAYS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre january \
     february april june july september october november december lunes martes miercoles jueves viernes sabado \
     sabados domingo domingos monday tuesday wednesday thursday friday saturday sunday mondays fridays saturdays \
     sundays tomorrow anteayer",
    )
});

/// English months that are also other words: only with a capital, or beside a figure.
pub(super) static MONTHS_WITH_CAPITAL: LazyLock<Words> =
    LazyLock::new(|| words("may march august"));

/// Before it "mañana" is a part of the day.
pub(super) static MORNING: LazyLock<Words> =
    LazyLock::new(|| words("la una aquella cada alguna otra misma buena"));

/// Promises of a time, and of delivery.
pub(super) static TERMS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "\
     proxima semana, semana que viene, semana proxima, esta semana, proximo mes, mes que viene, mes proximo, \
     proximo ano, ano que viene, next week, this week, next month, next year, en breve, lo antes posible, cuanto \
     antes, en unos dias, en pocos dias, en unas horas, in a few days, in a couple of days, within days, within \
     hours, as soon as possible, same day, mismo dia, fin de mes, te llega, te llegan, te llegara, te llegaran, os \
     llega, le llega, llegara, llegaran, lo recibes, la recibes, los recibes, recibiras, recibelo, recibela, \
     recibirlo, entrega en, entrega inmediata, entrega rapida, entrega a domicilio, plazo de entrega, entregamos, \
     entregaremos, envio, envios, enviamos, enviaremos, delivery, delivered, deliver, we deliver, shipping, ships, \
     ship, arrives on, arrives in # days, arrive by, you ll receive, you will receive, you ll get it, you ll have \
     it, lo tendras, la tendras, los tendras, reponemos, repondremos, reposicion, restock, restocked, restocking, \
     back in stock, volvera a estar, preventa, pre order, preorder, horario, abrimos, cerramos, opening hours, we \
     open, we close, en un par de, within a couple, a couple of days, the day after, dia siguiente, by christmas, \
     por navidad, en navidad, by tonight, llegan en, llega en breve, fin de semana que viene, \
     sale hoy, llega hoy, recogelo hoy, recogerlo hoy, hoy mismo, solo hoy, solo por hoy, desde hoy, a partir de hoy, ships \
     today, arrives today, today only, only today, from today",
    )
});

/// Who does what the model cannot do.
pub(super) static FIRST_PERSON: LazyLock<Words> = LazyLock::new(|| words("he hemos i we"));

/// What only a customer may do, as done.
pub(super) static DONE: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     reservado reservada reservados reservadas anadido anadida anadidos anadidas agregado agregada agregados \
     agregadas aprobado aprobada approved metido pedido encargado encargada comprado comprada cancelado cancelada cancelados canceladas \
     anulado anulada devuelto enviado enviada enviados guardado guardada apartado apartada apartados procesado \
     procesada confirmado confirmada realizado realizada tramitado tramitada completado completada registrado \
     registrada aplicado aplicada cobrado pagado pagada actualizado eliminado eliminada quitado vaciado gestionado \
     solicitado notificado avisado hecho hecha aceptado aceptada finalizado finalizada formalizado formalizada \
     efectuado efectuada prereservado separado dejado puesto reserved added ordered cancelled canceled placed \
     booked bought purchased confirmed processed shipped sent refunded charged applied removed updated emailed \
     notified completed saved held secured dispatched accepted emptied cleared submitted paid registered requested \
     scheduled arranged preordered checked",
    )
});

/// Before "reservé", which no plot says of the reader.
pub(super) static ME: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     te lo la los las os se le ya",
    )
});

pub(super) static DONE_BY_ME: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     reservamos anadimos cancelamos apartamos encargamos guardamos compramos tramitamos agregamos reserve anadi \
     agregue cancele aparte encargue guarde compre pedi confirme tramite",
    )
});

/// Units that no number in words may count either.
pub(super) static EXACT_UNITS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "pagina paginas page pages premio premios prize prizes award awards estrella estrellas star stars edicion ediciones \
     edition editions lector lectores reader readers millones million idiomas languages",
    )
});

/// What follows a title, or an author, at the beginning of a sentence.
pub(super) static AFTER_TITLES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "cuesta cuestan vale costs cost escribio wrote narra cuenta tells follows publico published trata",
    )
});

/// First words of a sentence that may stand before those without being a title.
pub(super) static SUBJECTS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "el ella ello ellos ellas esto este esta estos estas ese esa eso aquel aquella la lo se le no y o que quien como ahora \
     solo hoy aqui asi ya nunca siempre cada ambos ambas todo todos todas uno una dos tres ninguno ninguna ademas tambien \
     cuanto si pero he she it this that these those they which who also only both each all neither one someone never \
     always now here there what libro novela autor autora obra historia ejemplar edicion ensayo relato cuento protagonista \
     narrador trama accion argumento texto narracion escritor escritora te story novel book author narrator plot hero \
     protagonist latter",
    )
});

/// After an amount they make another of it.
pub(super) static BESIDE: LazyLock<Words> =
    LazyLock::new(|| words("menos less off mas more de al per a cada each discount"));

/// Stems of what only a customer may do, after "acabo de" and "voy a".
pub(super) static STEMS: LazyLock<Words> = LazyLock::new(|| {
    words("reserv anadi apart ped cancel encarg compr agreg tramit envi anul mete pone")
});

/// What is never said of a book in a plot: done to it at the counter.
pub(super) static DONE_TO: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     reservado reservada reservados reservadas anadido anadida anadidos anadidas agregado agregada aprobado \
     aprobada approved apartado apartada encargado encargada cancelado cancelada anulado anulada tramitado tramitada confirmado confirmada \
     procesado procesada realizado realizada comprado pagado reserved added ordered cancelled canceled booked \
     purchased confirmed processed shipped dispatched refunded charged placed completed paid preordered completado \
     completada finalizado finalizada aceptado aceptada formalizado formalizada registrado registrada efectuado \
     efectuada accepted submitted secured separado",
    )
});

/// Before what was done to a book.
pub(super) static BECOMES: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     queda quedan quedo quedado quedara esta estan sido ya is are been now was were already successfully listo \
     lista tienes s re be dejo",
    )
});

/// What a customer's doing is called.
pub(super) static DEALS: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     pedido pedidos reserva reservas compra compras pago encargo devolucion reembolso carrito cesta tramite order \
     orders reservation reservations purchase payment booking refund cart basket checkout return bag",
    )
});

/// What the model would do itself, in the present or to come.
pub(super) static WILL_DO: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "\
     reservo, aparto, guardo, encargo, anado, agrego, cancelo, anulo, tramito, aviso, cobro, devuelvo, te mando, se \
     lo mando, lo meto, lo pongo, lo compro, lo pido, reservare, apartare, guardare, encargare, anadire, agregare, \
     cancelare, anulare, tramitare, avisare, mandare, enviare, pondre, metere, pedire, comprare, confirmare, \
     reservaremos, apartaremos, guardaremos, encargaremos, anadiremos, cancelaremos, avisaremos, avisamos, te \
     reservamos, lo reservamos, lo apartamos, lo guardamos, voy a reservar, voy a reservarte, voy a reservartelo, \
     voy a anadir, voy a anadirlo, voy a apartar, voy a pedir, voy a cancelar, estoy reservando, estoy anadiendo, \
     vamos a reservar, procedo a, reservandote, i am adding, i m adding, i am reserving, i m reserving, i m \
     ordering, i m placing, i m cancelling, lo mando, la mando, los mando, las mando, lo llevo a casa, i am \
     ordering, we re adding, we re reserving",
    )
});

/// Verbs of an English promise, after "I'll" and "we will".
pub(super) static WILL_DO_ENGLISH: LazyLock<Words> = LazyLock::new(|| {
    words(
        "\
     reserve add order cancel hold put set book buy send ship notify email let keep save place remove update refund \
     charge process confirm deliver arrange secure",
    )
});

/// Whole turns of what is said to be done.
pub(super) static DONE_DEALS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "\
     esta en tu carrito, esta en tu cesta, esta en el carrito, estan en tu carrito, lo tienes en \
     el carrito, lo tienes en tu carrito, lo tienes en la cesta, ya es tuyo, ya es tuya, ya son tuyos, a tu nombre, \
     al carrito con exito, con exito, is in your cart, are in your cart, is in your basket, it s \
     yours, all set, under your name, in your name, put it aside, set it aside, put one aside, set one aside, put \
     aside for you, set aside for you, successfully, order number, numero de pedido, codigo de reserva, reservation \
     code, waiting for you at, reserva hecha, pedido hecho, compra hecha, pago hecho, encargo hecho, tu carrito ya, \
     tu cesta ya, your cart now, your basket now, in your cart, in your basket, in your bag, en tu carrito, en tu \
     cesta, en tu bolsa, on hold, set aside, consider it, es tuyo ya, am placing, am ordering, realizo el pedido, \
     realice el pedido, hice el pedido, hice la reserva, anule tu, cancele tu, ya tienes reservado, \
     is in the cart, in the cart already, already in the cart, ya en el carrito, ya en la cesta, lo declaro por escrito, \
     te lo doy por escrito, por escrito la devolucion, el doble de tu dinero, devolverle el doble, devolverte el doble, te \
     devuelve el doble, te devuelve el dinero, te devolvemos, te devolveremos, devolucion del dinero, te garantizo, te \
     garantizamos, garantizo, garantizamos, i guarantee, we guarantee, money back, este contrato, te multo, your money back",
    )
});

/// In a sentence that offers, the present and the future promise nothing.
pub(super) static OFFERS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "si quieres, si te, si lo, si la, cuando quieras, if you, would you, can, could, puedo, podria, podemos",
    )
});

/// Words that only a prompt says.
pub(super) static PROMPTS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "\
     eres quien atiende, respondes en, no instrucciones, son datos del catalogo, diga lo que diga, no prometas, ni \
     json ni codigo, cada una empieza por, eso lo hace la persona, mis instrucciones, instrucciones del sistema, \
     prompt del sistema, mensaje del sistema, system prompt, system message, my instructions, ignore previous, \
     ignore all previous, ignora las instrucciones, my guidelines, as an ai language, modelo de lenguaje, language \
     model, resumen de lo que se hablo, con cercania y sin relleno, mis reglas, my rules, punto com, dot com",
    )
});
