"""A catalogue of 117,659 items out of WordNet: `wordnet.py FOLDER > wordnet.jsonl`.

FOLDER is where Debian's package `wordnet-base` has its data files, /usr/share/wordnet unless told otherwise. A word is a title, its
explanation the synopsis, and its synonyms or what it is a kind of the author: real text with real frequencies, as many of it as a
large shop has books.
"""

import json
import os
import sys

KINDS = {"noun": ("n", "Sustantivos"), "verb": ("v", "Verbos"), "adj": ("a", "Adjetivos"), "adv": ("r", "Adverbios")}


def read(folder):
    for name, (kind, category) in KINDS.items():
        with open(os.path.join(folder, f"data.{name}"), encoding="utf-8") as file:
            for line in file:
                # The licence stands before the data, indented.
                if line.startswith("  "):
                    continue
                head, explanation = line.split(" | ", 1)
                fields = head.split()
                count = int(fields[3], 16)
                words = [fields[4 + 2 * place].replace("_", " ") for place in range(count)]
                pointers = fields[4 + 2 * count :]
                above = next((after for mark, after in zip(pointers, pointers[1:]) if mark in ("@", "@i")), None)
                yield (kind, fields[0]), words, explanation.strip(), above, category


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet"
    entries = list(read(folder))
    first_words = {key: words[0] for key, words, *_ in entries}
    for number, ((kind, _), words, explanation, above, category) in enumerate(entries, 1):
        author = ", ".join(words[1:3]) or first_words.get((kind, above), words[0])
        item = {
            "libro_id": number,
            "titulo": words[0],
            "autor": author,
            "precio": 10 + number % 20,
            "stock": number % 5,
            "categoria": category,
            "editorial": "Princeton",
            "descripcion": explanation,
        }
        print(json.dumps(item, ensure_ascii=False))


if __name__ == "__main__":
    main()
