"""Texts that a tokenizer may be given: many scripts, and what nobody would type on purpose."""

import random
import string
from unicodedata import ucd_3_2_0

SENTENCES = (
    "I saw a saw",
    "I can open a can",
    "He will write a will",
    "Time flies like an arrow, fruit flies like a banana",
    "The dog ate the food because it was hungry.",
    "She trains large language models.",
    "The trophy does not fit in the suitcase because it is too big.",
    "My grandmother bakes bread every Sunday morning.",
    "The bank raised its interest rates.",
    "We had a picnic on the bank of the river.",
    "Photosynthesis turns sunlight into sugar.",
    "He strummed his ukulele on the veranda.",
    "The parliament ratified the treaty yesterday.",
    "Attention is all you need.",
    "The duck made me duck.",
    "How do I divide by the square root of the key size?",
    "Mitochondria are the powerhouse of the cell.",
    "They book a room, then read a book.",
    "Ein Satz auf Deutsch mit Umlauten: schön, größer.",
    "It rained all day; nobody minded.",
)
"""Twenty on which the packed model is compared with the whole one."""

PIECES = (
    *SENTENCES,
    "Žluťoučký kůň příliš úpěl ďábelské ódy",
    "L’élève déjà naïf mangeait une crème brûlée à Besançon",
    "Straße, Fuß und Maß; İstanbul'da ışık; Ærø og Ångström",
    "Ολα τα ΣΟΦΟΣ λόγια, Οδυσσεύς",
    "Съешь же ещё этих мягких французских булок, ЁЖИК",
    "שלום עולם, מה שלומך היום? שָׁלוֹם",
    "مرحبا بالعالم، كيف حالك؟ ٱلسَّلَامُ عَلَيْكُمْ",
    "今日はいい天気ですね。カタカナとひらがな、ガギグ",
    "我看见了一把锯子。北京大學",
    "나는 톱을 보았다 안녕하세요",
    "मैंने एक आरी देखी। नमस्ते दुनिया",
    "สวัสดีชาวโลก ฉันเห็นเลื่อย",
    "நான் ஒரு ரம்பம் பார்த்தேன்",
    "Tôi nhìn thấy một cái cưa, Việt Nam",
    "გამარჯობა მსოფლიო, Բարև աշխարհ",
    "👩‍👩‍👧‍👦 family, 🇩🇪 flag, 👍🏽 thumb, ☕️ cup, 🤖",
    "e\u0301tude cafe\u0301 n\u0303 a\u0308o\u0308u\u0308 \u1e69 s\u0323\u0307",
    "zero\u200bwidth soft\u00adhyphen no\u00a0break \u202eright to left\u202c \ufeff",
    "tab\there\nnew line\r\nand\x0bvertical\x0cform \x85next\u2028line\u2029end \u3000wide",
    "bell\x07 null\x00 escape\x1b delete\x7f c1\x9f replaced\ufffd private\ue000",
    "[CLS] and [SEP] and [MASK]ed [UNK][PAD] [unused5] [cls]",
    "don't can't it's 'quoted' “curly” «guillemets» - – — … ¿qué? ¡no!",
    "price: $5.00 €3,50 £2 ¥100 50% #1 @home a+b=c x<y>z ^_^ `code` ~ | \\",
    "2x²+3x³ ½ ¼ Ⅷ ⅷ ① ﬁne ﬂow ＡＢＣ ｘｙｚ",
    "ℌ ℝ ∑ ∫ ≠ ≤ ∞ √2 α β γ µ Ω",
    "a" * 100 + " " + "b" * 101,
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "antidisestablishmentarianism floccinaucinihilipilification",
    "http://example.org/a/b?c=d&e=f#g me@example.org",
    "print(f'{x!r:>10}')  # comment",
    "",
    " ",
    "\t\n",
    "...",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟘𝟙𝟚 𝓈𝒸𝓇𝒾𝓅𝓉",
    "ǅ ǈ ŉ ß ẞ ſ ŀ Ǆ",
    "𠮷野家 㐀 豈 ﬀ",
    "ａｂ　ｃｄ",
)


OLD = "".join(chr(i) for i in range(0x20, 0x3000) if ucd_3_2_0.category(chr(i)) != "Cn")
"""Characters that every table knows: the library's are of Unicode 8."""


def many(count: int) -> list[str]:
    """All texts above, then mixtures: parts of several, turned to capitals, decomposed, cut anywhere."""
    rng = random.Random(29)
    found = [*PIECES, " ".join(PIECES[3].split() * 30)]  # of 300 words
    scripts = (string.printable, "".join(PIECES), OLD)
    while len(found) < count:
        parts = [rng.choice(PIECES) for _ in range(rng.randint(1, 3))]
        parts.append("".join(rng.choice(rng.choice(scripts)) for _ in range(rng.randint(0, 12))))
        rng.shuffle(parts)
        text = rng.choice([" ", "", ", ", "\u00a0"]).join(parts)
        start = rng.randrange(len(text) + 1) if rng.random() < 0.3 else 0
        found.append(rng.choice([str, str.upper, str.title, str.swapcase])(text[start:]))
    return found[:count]
