//! Appointments by words, without a model: what is answered and what is kept, whatever the order in which it is said.

#[path = "errands/others.rs"]
mod others;
#[path = "errands/salon.rs"]
mod salon;

use crate::setup::owner;
use salon::Salon;

/// Each conversation with what the customer has after it.
#[tokio::test]
async fn appointments_are_had_by_words() {
    let dialogues: &[(&str, &[&str], &[&str])] = &[
        // One thing after the other.
        (
            "es",
            &[
                "quiero pedir cita",
                "corte de mujer",
                "en Ruzafa",
                "el lunes por la tarde",
                "a las seis",
                "Ana Ruiz",
                "sí",
            ],
            &["corte-mujer carmen 2100-01-04T18:00 Ana Ruiz"],
        ),
        // All at once, and another time before the yes.
        (
            "es",
            &[
                "quería una manicura el jueves a las 11 con Noelia",
                "soy Pepa",
                "no, mejor a las 12",
                "vale",
            ],
            &["manicura noelia 2100-01-07T12:00 Pepa"],
        ),
        // The first that is free.
        (
            "es",
            &[
                "necesito cortarme el pelo lo antes posible",
                "de hombre",
                "Paco",
                "sí",
            ],
            &["corte-hombre carmen 2100-01-01T14:00 Paco"],
        ),
        // A day that is closed, another, and no.
        (
            "es",
            &[
                "me gustaría reservar hora para un tinte mañana",
                "pues el lunes",
                "a las 10",
                "Eva",
                "no",
            ],
            &[],
        ),
        // From a price to an appointment, and to another day.
        (
            "es",
            &[
                "¿cuánto cuesta la manicura?",
                "¿y para el martes?",
                "17:00",
                "Eva",
                "sí",
                "¿puedo cambiar la hora de mi cita?",
                "el jueves",
                "sí",
            ],
            &["manicura noelia 2100-01-07T17:00 Eva"],
        ),
        // Of two wishes the first comes first.
        (
            "es",
            &[
                "quiero una manicura el lunes a las 10 y un corte de mujer con Carmen a las 12, soy Ana Ruiz",
                "sí",
                "ahora el corte de mujer con Carmen, el mismo lunes a las 12",
                "sí",
            ],
            &[
                "corte-mujer carmen 2100-01-04T12:00 Ana Ruiz",
                "manicura noelia 2100-01-04T10:00 Ana Ruiz",
            ],
        ),
        // Beside what was said before: an hour later, the day after, with somebody else.
        (
            "en",
            &[
                "ladies cut with Carmen on monday at 4, I'm Joan Hill",
                "can you push it back an hour",
                "yes, thank you so much",
                "could we do the next day?",
                "yes",
                "could it be with Marcos instead, same day and time?",
                "yes",
            ],
            &["corte-mujer marcos 2100-01-05T17:00 Joan Hill"],
        ),
        // What turns down what was asked, and a question that leaves it open.
        (
            "pt",
            &[
                "quero manicure na segunda às 11, sou a Rita Dias",
                "quanto custa?",
                "sim",
                "sim, pode marcar",
                "e pra terça às 12 outra",
                "não, deixa",
            ],
            &["manicura noelia 2100-01-04T11:00 Rita Dias"],
        ),
        // A name with a remark, one for somebody else, a name put right.
        (
            "en",
            &[
                "could I get a manicure on monday at 4",
                "Chloe, she's my daughter",
                "yes",
                "now one for Beth, same day at 5",
                "yes",
            ],
            &[
                "manicura noelia 2100-01-04T16:00 Chloe",
                "manicura noelia 2100-01-04T17:00 Beth",
            ],
        ),
        (
            "es",
            &[
                "corte de hombre con Marcos el lunes a las 11, soy Elena Gil",
                "a nombre de Paco Gil, no de Elena!",
                "sí",
            ],
            &["corte-hombre marcos 2100-01-04T11:00 Paco Gil"],
        ),
        (
            "es",
            &[
                "¿qué días tenéis para un tinte antes del 12?",
                "el viernes 8 por ejemplo, a las 10",
                "Nuria, como siempre",
                "sí",
            ],
            &["tinte carmen 2100-01-08T10:00 Nuria"],
        ),
        // Wherever, and with whoever.
        (
            "es",
            &[
                "cita para corte de hombre el martes a las 12",
                "me da igual",
                "Luis",
                "sí",
            ],
            &["corte-hombre carmen 2100-01-05T12:00 Luis"],
        ),
        (
            "es",
            &[
                "cita para corte de hombre el martes a las 13 con Marcos",
                "Luis",
                "mejor con quien sea en Benimaclet",
                "sí",
            ],
            &["corte-hombre irene 2100-01-05T13:00 Luis"],
        ),
        // Two, of which one is moved and the other cancelled.
        (
            "es",
            &[
                "resérvame una manicura el martes a las 10",
                "Rosa",
                "sí",
                "y un tinte el jueves a las 10",
                "sí",
                "cambia la manicura al martes a las 11",
                "sí",
                "cancela la cita del jueves",
                "sí",
            ],
            &["manicura noelia 2100-01-05T11:00 Rosa"],
        ),
        // A question about it is no yes, and how long it takes is told.
        (
            "es",
            &[
                "manicura el lunes a las 10",
                "Leo",
                "vale, ¿y con quién es?",
            ],
            &[],
        ),
        (
            "es",
            &[
                "manicura el lunes a las 10",
                "Leo",
                "¿cuánto dura?",
                "sí",
                "sí",
            ],
            &["manicura noelia 2100-01-04T10:00 Leo"],
        ),
        // A time takes the place of the last one.
        (
            "es",
            &[
                "manicura el lunes a última hora",
                "Leo",
                "mejor a las 12",
                "sí",
            ],
            &["manicura noelia 2100-01-04T12:00 Leo"],
        ),
        (
            "es",
            &[
                "manicura el lunes después de las 17",
                "a las 10 entonces",
                "Leo",
                "sí",
            ],
            &["manicura noelia 2100-01-04T10:00 Leo"],
        ),
        // What turns down is no yes, whatever stands before it.
        (
            "es",
            &[
                "quiero una manicura el lunes a las 11",
                "Ana",
                "vale, cancela",
            ],
            &[],
        ),
        // A name that is somebody's who works there, and a day's.
        (
            "es",
            &[
                "corte de hombre el martes a las 12 en Benimaclet",
                "Carmen Reyes",
                "sí",
            ],
            &["corte-hombre irene 2100-01-05T12:00 Carmen Reyes"],
        ),
        // Another one, for somebody else: the first stays.
        (
            "es",
            &[
                "manicura el lunes a las 10",
                "Leo",
                "sí",
                "necesito otra para su hermana el mismo día",
                "a las 11",
                "sí",
            ],
            &[
                "manicura noelia 2100-01-04T10:00 Leo",
                "manicura noelia 2100-01-04T11:00 Leo",
            ],
        ),
        // A yes with something else behind it.
        (
            "es",
            &[
                "manicura el lunes a las 10",
                "Leo",
                "sí! y una cosa, ¿tenéis algo de Borges?",
            ],
            &["manicura noelia 2100-01-04T10:00 Leo"],
        ),
        (
            "es",
            &[
                "un tinte el 11 a primera hora",
                "Leo",
                "sí",
                "al final cancélala",
                "sí",
            ],
            &[],
        ),
        (
            "en",
            &[
                "a manicure on Monday at 5pm",
                "Tom",
                "actually can we make it 6 instead",
                "yes",
            ],
            &["manicura noelia 2100-01-04T18:00 Tom"],
        ),
        (
            "pt",
            &["manicure na segunda depois das 18", "às 18h", "Rita", "sim"],
            &["manicura noelia 2100-01-04T18:00 Rita"],
        ),
        (
            "en",
            &[
                "I'd like to book a manicure",
                "Wednesday morning",
                "at 11",
                "Mary Smith",
                "yes please",
            ],
            &["manicura noelia 2100-01-06T11:00 Mary Smith"],
        ),
        (
            "en",
            &[
                "can I get a manicure on Monday at 4pm?",
                "Tom",
                "what about half past four?",
                "yes",
                "cancel my appointment",
                "yes",
            ],
            &[],
        ),
        (
            "pt",
            &[
                "queria marcar uma manicura para segunda às 17h",
                "Rita",
                "sim",
                "muda para quarta às 12",
                "sim",
            ],
            &["manicura noelia 2100-01-06T12:00 Rita"],
        ),
        (
            "pt",
            &[
                "quero agendar um tinte o mais cedo possível",
                "João",
                "sim",
                "quero cancelar a marcação",
                "sim",
            ],
            &[],
        ),
    ];
    let mut misses = Vec::new();
    for (tag, messages, expected) in dialogues {
        // Each has the salon for itself.
        let salon = Salon::open().await;
        let said = salon.talk("ana", tag, messages).await;
        let has = salon.has("ana").await;
        if has != *expected {
            misses.push(format!("{said}\n{has:?}, and not {expected:?}"));
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n\n"));
}

/// What is taken has alternatives, nothing is held by a proposal, and a wish outlives its refusal.
#[tokio::test]
async fn what_is_taken_meanwhile_is_told() {
    let salon = Salon::open().await;
    let [ana, eva] = ["ana", "eva"].map(owner);
    let wish = "quiero una manicura el lunes a las 11";
    for (owner, name) in [(&ana, "Ana"), (&eva, "Eva")] {
        salon.say(owner, "es", wish).await;
        let asked = salon.say(owner, "es", name).await;
        assert!(asked.starts_with("¿Te reservo «Manicura»"), "{asked}");
    }
    let first = salon.say(&ana, "es", "sí").await;
    assert!(first.starts_with("Reservado"), "{first}");
    let late = salon.say(&eva, "es", "sí").await;
    assert_eq!(
        late,
        "Esa hora acaba de ocuparse o ya no está libre. Sí está libre: el lunes 4 de enero a las 10:00 con Noelia; el lunes 4 de enero a las \
         12:00 con Noelia; el lunes 4 de enero a las 13:00 con Noelia."
    );
    let other = salon.say(&eva, "es", "a las 12 entonces").await;
    assert!(
        other.starts_with("¿Te reservo «Manicura» el lunes 4 de enero a las 12:00"),
        "{other}"
    );
    salon.say(&eva, "es", "sí").await;
    assert_eq!(
        salon.has("eva").await,
        ["manicura noelia 2100-01-04T12:00 Eva"]
    );
}

/// What is about no appointment stays what it was, also beside one that is open.
#[tokio::test]
async fn other_messages_are_left_alone() {
    let salon = Salon::open().await;
    let ana = owner("ana");
    let find = salon.say(&ana, "es", "¿tenéis El Quijote?").await;
    salon
        .say(&ana, "es", "quiero pedir cita para una manicura")
        .await;
    assert_eq!(salon.say(&ana, "es", "¿tenéis El Quijote?").await, find);
    let greeting = salon.say(&ana, "es", "hola").await;
    assert!(greeting.starts_with("¡Hola!"), "{greeting}");
    let views = salon.say(&ana, "es", "¿qué citas tengo?").await;
    assert_eq!(views, "No tienes ninguna cita pendiente.");
}

/// One whole conversation, word for word.
#[tokio::test]
async fn a_conversation_from_first_to_last() {
    let salon = Salon::open().await;
    let messages = [
        "quiero pedir cita",
        "manicura",
        "el lunes",
        "por la tarde",
        "a las seis",
        "Ana Ruiz",
        "sí",
        "¿qué citas tengo?",
        "cámbiala al martes a la misma hora",
        "sí",
        "cancela mi cita",
        "sí",
    ];
    let said = salon.talk("ana", "es", &messages).await;
    insta::assert_snapshot!(said, @"
    > quiero pedir cita
    ¿Para qué servicio?
    - Corte de mujer: 60 min, 29,00 €
    - Corte de hombre: 30 min, 17,00 €
    - Tinte de raíz: 90 min, 38,00 €
    - Manicura: 60 min, 16,00 €
    > manicura
    Manicura: 60 min, 16,00 €. Hay hueco para «Manicura»:
    - viernes 1 de enero: 14:00, 15:00, 16:00, 17:00, 18:00, 19:00
    - lunes 4 de enero: 10:00, 11:00, 12:00, 13:00, 16:00, 17:00, 18:00, 19:00
    - martes 5 de enero: 10:00, 11:00, 12:00, 13:00, 16:00, 17:00, 18:00, 19:00
    - miércoles 6 de enero: 10:00, 11:00, 12:00, 13:00
    - ¿Qué día y a qué hora te viene bien?
    > el lunes
    Hay hueco el lunes 4 de enero para «Manicura»:
    - Noelia: 10:00, 11:00, 12:00, 13:00, 16:00, 17:00, 18:00, 19:00
    - ¿A qué hora te viene bien?
    > por la tarde
    Hay hueco el lunes 4 de enero para «Manicura»:
    - Noelia: 13:00, 16:00, 17:00, 18:00, 19:00
    - ¿A qué hora te viene bien?
    > a las seis
    Hay hueco el lunes 4 de enero a las 18:00. ¿A nombre de quién pongo la cita?
    > Ana Ruiz
    ¿Te reservo «Manicura» el lunes 4 de enero a las 18:00 con Noelia, en Ruzafa, a nombre de Ana Ruiz? Son 16,00 €.
    > sí
    Reservado: «Manicura» el lunes 4 de enero a las 18:00 con Noelia, en Ruzafa. Son 16,00 €.
    > ¿qué citas tengo?
    Tienes 1 cita:
    - «Manicura» el lunes 4 de enero a las 18:00 con Noelia, en Ruzafa
    > cámbiala al martes a la misma hora
    ¿Cambio tu cita de «Manicura» y la dejo el martes 5 de enero a las 18:00 con Noelia, en Ruzafa?
    > sí
    Cambiada: tu cita de «Manicura» es ahora el martes 5 de enero a las 18:00 con Noelia, en Ruzafa.
    > cancela mi cita
    ¿Cancelo tu cita de «Manicura», el martes 5 de enero a las 18:00 con Noelia?
    > sí
    Cancelada: ya no tienes la cita de «Manicura», el martes 5 de enero a las 18:00.
    ");
}
