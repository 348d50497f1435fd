/** Texts in four languages, and quotations of them: true ones, written otherwise, and forged ones. */
import type {DrawInteger} from '../helpers/seeded-random.ts';

export type Language = {
	/** Phrases that make a sentence together, one from each list. */
	readonly phrases: ReadonlyArray<readonly string[]>;
	readonly quotes: readonly [open: string, close: string];
	/** The word that negates, put before the last phrase. */
	readonly negation: string;
	/** Between phrases. */
	readonly blank: string;
};

export const languages: readonly Language[] = [
	{
		phrases: [
			['The supplier', 'The customer’s heirs', 'Either party', 'A well-known third party'],
			['is liable for', 'pays — on demand — for', 'has a claim to', 'gives notice of'],
			['damages', 'a fee', 'the “remaining goods”', 'every delayed delivery'],
			['up to 30 days', 'of more than 1,250 euros', 'under section 4.2', 'in 12 instalments'],
			['after the contract has ended', 'unless agreed otherwise', 'by registered letter'],
		],
		quotes: ['“', '”'],
		negation: 'not',
		blank: ' ',
	},
	{
		phrases: [
			['Der Lieferant', 'Die Käuferin', 'Jede der Parteien', 'Der Haus- und Grundbesitzer'],
			['haftet für', 'zahlt – auf Verlangen – für', 'hat Anspruch auf', 'verzichtet auf'],
			['Schäden', 'die übrige „Ware“', 'eine Vertragsstrafe', 'den Zahlungsverzug'],
			['bis zu 30 Tagen', 'von mehr als 1.250 Euro', 'nach Absatz 4.2', 'in 12 Raten'],
			['nach Ende des Vertrages', 'sofern nichts anderes gilt', 'per Einschreiben'],
		],
		quotes: ['„', '“'],
		negation: 'nicht',
		blank: ' ',
	},
	{
		phrases: [
			['Le fournisseur', 'L’acheteur', 'Chacune des parties', 'Un tiers bien-aimé'],
			['répond de', 'paie – sur demande – pour', 'a droit à', 'renonce à'],
			['tous les dégâts', 'la « marchandise restante »', 'une pénalité', 'chaque retard'],
			['pendant 30 jours', 'de plus de 1 250 euros', 'selon l’article 4.2', 'en 12 fois'],
			['après la fin du contrat', 'sauf accord contraire ;', 'par lettre recommandée !'],
		],
		quotes: ['« ', ' »'],
		negation: 'jamais',
		blank: ' ',
	},
	{
		phrases: [
			['売主は、', '買主の相続人は、', '各当事者は、', '第三者である受託者は、'],
			[
				'契約の終了後',
				'相手方の書面による同意なく',
				'登録された郵便により',
				'正当な理由がある場合',
			],
			['三十日以内に', '1,250円を超える', '第4条第2項に基づき', '12回に分けて'],
			['損害の賠償を', '手数料の支払いを', '残りの商品の返還を', '契約の解除を'],
			['請求することができる。', '拒否することができる。', '通知するものとする。'],
		],
		quotes: ['「', '」'],
		negation: '決して',
		blank: '',
	},
];

const pick = <Value>(values: readonly Value[], draw: DrawInteger): Value =>
	values[draw(0, values.length - 1)] as Value;

/** Different sentences, as phrases. */
export function writeSentences({phrases}: Language, draw: DrawInteger): readonly string[][] {
	const sentences = new Map<string, string[]>();
	for (let count = 0; count < 60; count++) {
		const sentence = phrases.map((choices) => pick(choices, draw));
		sentences.set(sentence.join(' '), sentence);
	}
	return [...sentences.values()];
}

/** Sets sentences in lines of 40 to 70 units, with words divided at the ends of some. */
export function wrapText(sentences: readonly string[], language: Language, draw: DrawInteger) {
	const width = draw(40, 70);
	const words = sentences.join(`${language.blank}`).split(/(?<= )|(?<=、)/);
	let text = '';
	let line = '';
	for (const word of words) {
		const room = width - line.length;
		if (word.length > room && /^\p{L}{8,}/u.test(word) && room > 4) {
			const cut = draw(3, Math.min(room, 6));
			text += `${line}${word.slice(0, cut)}-\n`;
			line = word.slice(cut);
		} else if (word.length > room) {
			text += `${line.trimEnd()}\n`;
			line = word;
		} else line += word;
	}
	return text + line;
}

type Change = (text: string, draw: DrawInteger) => string;

/** Other ways to write the same words. */
const rewritings: readonly Change[] = [
	(text) => text.replace(/« |[“”„«»]| »/g, '"'),
	(text) => text.replaceAll('’', "'"),
	(text) => text.replace(/ [—–] /g, '—'),
	(text) => text.replace(/ [—–] /g, ' - '),
	(text) => text.replaceAll('-', '\u2011'),
	(text, draw) => text.replace(/ /g, () => pick([' ', '\u00a0', '\u202f', '  ', '\n'], draw)),
	(text) => text.normalize('NFD'),
	(text) => text.toUpperCase(),
	(text, draw) => text.replace(/\p{L}{4,}/u, (word) => `${pick(['**', '*', '_'], draw)}${word}`),
	(text, draw) =>
		text.replace(/(?<=\p{L}{3})(?=\p{L}{3})/u, () => pick(['\u00ad', '\u200b'], draw)),
	(text) => `${text},`,
];

export function rewrite(phrases: readonly string[], {blank}: Language, draw: DrawInteger): string {
	const whole = phrases.join(blank);
	const middle = phrases.slice(1, 4).join(blank);
	const isLong =
		phrases[0] !== undefined && phrases[0].length > 10 && (phrases[4]?.length ?? 0) > 10;
	if (isLong && draw(0, 3) === 0) {
		return whole.replace(
			`${blank}${middle}${blank}`,
			pick([' … ', ' [...] ', '… ', ' (…) '], draw),
		);
	}
	let text = draw(0, 2) === 0 ? middle : whole;
	for (let count = draw(1, 3); count > 0; count--) text = pick(rewritings, draw)(text, draw);
	return text;
}

/** Sentences that say something else. */
const forgeries: ReadonlyArray<
	(phrases: readonly string[], language: Language, draw: DrawInteger) => readonly string[]
> = [
	(phrases, {negation}) => [...phrases.slice(0, 3), negation, ...phrases.slice(3)],
	(phrases) =>
		phrases.map((phrase) => phrase.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`)),
	(phrases, language, draw) => {
		const at = draw(0, phrases.length - 1);
		const others = language.phrases[at]?.filter((phrase) => phrase !== phrases[at]) ?? [];
		return phrases.with(at, pick(others, draw));
	},
	(phrases) => phrases.with(1, phrases[2] ?? '').with(2, phrases[1] ?? ''),
	(phrases) => phrases.toSpliced(2, 1),
	(phrases, {phrases: all}, draw) => [
		...phrases.slice(0, 2),
		...all.slice(2).map((choices) => pick(choices, draw)),
	],
];

export function forge(phrases: readonly string[], language: Language, draw: DrawInteger): string {
	return pick(forgeries, draw)(phrases, language, draw).join(language.blank);
}
