//! A small bookshop for the tests.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use mostrador_core::{
    catalogue::{Details, Item},
    price::Price,
};
use mostrador_search::{
    artifact::{Artifact, FileName},
    embedder::{StaticEmbedder, prepare},
    query::Files,
};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/embedder");

/// The shipped model as one prepared file, made once a test run.
pub(crate) fn prepared() -> Bytes {
    static PREPARED: LazyLock<Bytes> = LazyLock::new(|| {
        let read = |name: &str| std::fs::read(format!("{MODEL}/{name}")).unwrap();
        prepare(&read("model.safetensors"), &read("tokenizer.json"))
            .unwrap()
            .into()
    });
    PREPARED.clone()
}

pub(crate) fn embedder() -> Arc<StaticEmbedder> {
    Arc::new(StaticEmbedder::from_prepared(prepared()).unwrap())
}

/// Waits for what a test that is not async needs.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

/// What a build's files hold: vectors, items, keywords.
pub(crate) fn bytes(artifact: &Artifact) -> [Vec<u8>; 3] {
    FileName::ALL.map(|name| artifact.read(name).unwrap())
}

/// A build's files as a loader would have them.
pub(crate) fn files(artifact: &Artifact) -> Files {
    let [vectors, items, keywords] = &bytes(artifact);
    Files::copied([vectors, items, keywords]).unwrap()
}

/// Fifteen books; the number of copies is the book's number modulo 4.
pub(crate) fn items() -> Vec<(Item, u32)> {
    let shelf: [Shelved; 15] = [
        (
            1,
            "Rayuela",
            "Julio Cortázar",
            "9788437604572",
            "18.50",
            "Novela",
            "Cátedra",
            1963,
            "Un escritor argentino vaga por París con la Maga, entre jazz y bohemia, y después regresa a Buenos Aires. Los capítulos pueden leerse en otro orden.",
        ),
        (
            2,
            "Cien años de soledad",
            "Gabriel García Márquez",
            "9780307474728",
            "20.90",
            "Realismo mágico",
            "Vintage Español",
            1967,
            "La saga de la familia Buendía a lo largo de siete generaciones en el pueblo de Macondo, donde lo fantástico es cotidiano.",
        ),
        (
            3,
            "El amor en los tiempos del cólera",
            "Gabriel García Márquez",
            "9780307387264",
            "17.00",
            "Novela romántica",
            "Vintage Español",
            1985,
            "Un hombre espera más de cincuenta años a la mujer de la que se enamoró en su juventud, casada con un médico.",
        ),
        (
            4,
            "El Señor de los Anillos",
            "J. R. R. Tolkien",
            "9788445000663",
            "39.95",
            "Fantasía",
            "Minotauro",
            1954,
            "Un hobbit emprende un viaje para destruir un anillo mágico, acompañado de elfos, enanos y hombres, antes de que el señor oscuro domine el mundo.",
        ),
        (
            5,
            "El hobbit",
            "J. R. R. Tolkien",
            "9788445000656",
            "16.95",
            "Fantasía",
            "Minotauro",
            1937,
            "Un hobbit acomodado parte con trece enanos a recuperar el tesoro que guarda un dragón en la montaña.",
        ),
        (
            6,
            "La sombra del viento",
            "Carlos Ruiz Zafón",
            "9788408163435",
            "12.95",
            "Misterio",
            "Planeta",
            2001,
            "En la Barcelona de posguerra un muchacho descubre en una biblioteca secreta una novela maldita y busca a su autor.",
        ),
        (
            7,
            "Don Quijote de la Mancha",
            "Miguel de Cervantes",
            "9788420412146",
            "25.00",
            "Clásicos",
            "Alfaguara",
            1605,
            "Un hidalgo que ha perdido el juicio leyendo libros de caballerías sale a los caminos con su escudero a deshacer agravios.",
        ),
        (
            8,
            "La casa de los espíritus",
            "Isabel Allende",
            "9788401352836",
            "19.90",
            "Realismo mágico",
            "Plaza & Janés",
            1982,
            "Cuatro generaciones de mujeres de una familia chilena, con dones para hablar con los muertos, hasta el golpe militar.",
        ),
        (
            9,
            "Crónica de una muerte anunciada",
            "Gabriel García Márquez",
            "9788497592437",
            "10.95",
            "Novela",
            "Debolsillo",
            1981,
            "Todo el pueblo sabe que los hermanos Vicario van a matar a Santiago Nasar, y nadie lo impide.",
        ),
        (
            10,
            "1984",
            "George Orwell",
            "9788499890944",
            "9.95",
            "Ciencia ficción",
            "Debolsillo",
            1949,
            "En un estado totalitario que vigila a todos, un funcionario que reescribe el pasado se atreve a enamorarse y a dudar.",
        ),
        (
            11,
            "Cocina para principiantes",
            "Ana Torres",
            "9788408005735",
            "22.00",
            "Cocina",
            "Planeta",
            2015,
            "Recetas sencillas de la cocina mediterránea explicadas paso a paso: sopas, arroces, pescados y postres.",
        ),
        (
            12,
            "Breve historia del tiempo",
            "Stephen Hawking",
            "9788498921984",
            "15.00",
            "Ciencia",
            "Crítica",
            1988,
            "El origen del universo, los agujeros negros y la naturaleza del tiempo, contados para lectores sin formación científica.",
        ),
        (
            13,
            "Fundación",
            "Isaac Asimov",
            "9788497594257",
            "11.95",
            "Ciencia ficción clásica",
            "Debolsillo",
            1951,
            "Un matemático prevé la caída del imperio galáctico y crea una fundación que preserve el saber de la humanidad.",
        ),
        (
            14,
            "Cien años de soledad",
            "García Márquez, Gabriel",
            "9788420471839",
            "29.90",
            "Realismo mágico",
            "Alfaguara",
            2007,
            "Edición conmemorativa de la historia de los Buendía y de Macondo, con estudios y un glosario.",
        ),
        (
            15,
            "It",
            "Stephen King",
            "9788497593793",
            "14.95",
            "Terror",
            "Debolsillo",
            1986,
            "Siete amigos vuelven al pueblo de su infancia para enfrentarse a un ser que toma la forma de un payaso.",
        ),
    ];
    shelf.into_iter().map(shelved).collect()
}

type Shelved = (
    u64,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    i32,
    &'static str,
);

fn shelved(
    (libro_id, titulo, autor, isbn, precio, categoria, editorial, year, descripcion): Shelved,
) -> (Item, u32) {
    let item = Item {
        libro_id,
        titulo: titulo.into(),
        autor: autor.into(),
        isbn: isbn.into(),
        precio: Price::parse(precio).unwrap(),
        categoria: categoria.into(),
        editorial: editorial.into(),
        publicado: Some(year),
        descripcion: descripcion.into(),
        details: Details::default(),
    };
    let stock = u32::try_from(libro_id % 4).unwrap();
    (item, stock)
}
