//! Damaged models, and texts of any kind.

use std::sync::LazyLock;

use bolero::TypeGenerator;

use super::{super::prepare, *};

#[derive(Debug, TypeGenerator)]
enum Damage {
    Byte {
        at: u16,
        to: u8,
    },
    Field {
        number: u8,
        to: u32,
    },
    Cut(u16),
    Longer(Vec<u8>),
    /// As long as its header says.
    Fitting {
        dimensions: u32,
        pieces: u8,
        heap: u8,
    },
}

/// Six pieces of four dimensions.
static BASE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let pieces = ["[UNK]", "rayuela", "ra", "##yue", "##la", "."];
    let vocabulary: serde_json::Map<_, _> = pieces
        .iter()
        .zip(0..)
        .map(|(piece, id)| ((*piece).to_owned(), serde_json::Value::from(id)))
        .collect();
    let tokenizer = serde_json::json!({
        "normalizer": {
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": true, "lowercase": true,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary,
        },
    });
    let header = serde_json::json!({
        "embeddings": {"dtype": "I8", "shape": [6, 4], "data_offsets": [0, 24]},
        "weights": {"dtype": "F32", "shape": [6], "data_offsets": [24, 48]},
    });
    let header = header.to_string();
    let mut model = (header.len() as u64).to_le_bytes().to_vec();
    model.extend_from_slice(header.as_bytes());
    model.extend(0..24);
    model.extend([0.5f32; 6].iter().flat_map(|weight| weight.to_le_bytes()));
    prepare(&model, tokenizer.to_string().as_bytes()).expect("a model")
});

fn damaged(damage: &[Damage]) -> Vec<u8> {
    let mut file = BASE.clone();
    for damage in damage {
        let len = file.len().max(1);
        match damage {
            Damage::Byte { at, to } => {
                if let Some(byte) = file.get_mut(usize::from(*at) % len) {
                    *byte = *to;
                }
            }
            Damage::Field { number, to } => {
                let at = MAGIC.len() + 4 * usize::from(*number % 10);
                if let Some(place) = file.get_mut(at..at + 4) {
                    place.copy_from_slice(&to.to_le_bytes());
                }
            }
            Damage::Cut(at) => file.truncate(usize::from(*at) % len),
            Damage::Longer(bytes) => file.extend_from_slice(bytes),
            Damage::Fitting {
                dimensions,
                pieces,
                heap,
            } => {
                let (each, pieces) = (index(*dimensions) + 4, usize::from(*pieces));
                let body = pieces * each + SLOT_BYTES + usize::from(*heap);
                if body > 1 << 16 || file.len() < HEADER_BYTES {
                    continue;
                }
                file.resize(HEADER_BYTES + body, 0xff);
                let fields = [
                    *dimensions,
                    u32::try_from(pieces).expect("a byte"),
                    1,
                    (*heap).into(),
                ];
                for (number, to) in (1..).zip(fields) {
                    let at = MAGIC.len() + 4 * number;
                    file[at..at + 4].copy_from_slice(&to.to_le_bytes());
                }
            }
        }
    }
    file
}

#[test]
fn a_damaged_model_is_refused_and_any_text_is_embedded() {
    let target = bolero::check!().with_iterations(500);
    target.with_type::<(Vec<Damage>, String)>().for_each(
        |(damage, text): &(Vec<Damage>, String)| {
            let file = damaged(damage);
            let len = file.len();
            let Ok(embedder) = StaticEmbedder::from_prepared(file.into()) else {
                return;
            };
            let dimensions = embedder.identity().dimensions;
            // A vector is made for each text.
            assert!(dimensions <= len, "{dimensions}");
            for text in [text, "Rayuela, rayuelas.", ""] {
                let vector = embedder.vector(text);
                let squares: f32 = vector.iter().map(|x| x * x).sum();
                assert_eq!(vector.len(), dimensions);
                assert!(squares == 0.0 || (squares - 1.0).abs() < 1e-3, "{squares}");
                let _ = embedder.knows(text);
                if let Some(piece) = embedder.whole(text) {
                    let row = embedder.row(piece);
                    assert!(
                        row.is_none_or(|(row, length)| row.len() == dimensions && length >= 1.0)
                    );
                }
            }
            assert_eq!(embedder.row(u32::MAX), None);
        },
    );
}
