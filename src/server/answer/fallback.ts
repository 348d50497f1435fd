/** What is said when no rule knows the prompt: something that depends on it, and that this is all. */
import {describeAttachments} from './files.ts';
import {selfDescription} from './identity.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {clip, countWords, hashText, plural, quote} from './text.ts';

const quotedLength = 300;

const scripts: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
	['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
	['Chinese', /\p{Script=Han}/u],
	['Korean', /\p{Script=Hangul}/u],
	['Cyrillic', /\p{Script=Cyrillic}/u],
	['Greek', /\p{Script=Greek}/u],
	['Arabic', /\p{Script=Arabic}/u],
	['Hebrew', /\p{Script=Hebrew}/u],
	['Devanagari', /\p{Script=Devanagari}/u],
	['Thai', /\p{Script=Thai}/u],
];

export function answerUnknown(prompt: Prompt): Answer {
	const {instruction, whole, system, earlier} = prompt;
	if (whole.trim() === '') return answerNothing(prompt);
	const mark = hashText(whole).toString(16).padStart(8, '0');
	const asked = instruction === '' ? whole : instruction;
	const script = scripts.find(([, pattern]) => pattern.test(clip(asked, 2_000)))?.[0];
	const sentences = [
		`You wrote ${quote(asked, quotedLength)}.`,
		`That is ${plural(countWords(asked), 'word')} and ${plural(asked.length, 'character')}${script === undefined ? '' : `, in ${script} script`}; ${describeWords(asked)}the message has fingerprint ${mark}.`,
	];
	const before = earlier.filter(({role}) => role === 'user').length;
	if (before > 0) sentences.push(`Before it came ${plural(before, 'message')} of yours.`);
	if (system !== '') sentences.push(`Your system message says ${quote(system, 120)}.`);
	const attachments = describeAttachments(prompt);
	const paragraphs = [
		sentences.join(' '),
		...(attachments === '' ? [] : [attachments]),
		`${selfDescription} No rule of mine knows this prompt, so this is all I can say about it; ask “what can you do?” for those I have.`,
	];
	return {
		text: paragraphs.join('\n\n'),
		essence: findLongestWord(asked),
		reasons: [`No rule knows ${quote(asked, 120)}, so I say what can be seen from outside.`],
	};
}

function answerNothing({request}: Prompt): Answer {
	const count = plural(request.messages.length, 'message');
	return {
		text: `There is no text to answer in this request of ${count}. ${selfDescription}`,
		essence: 'nothing',
		reasons: ['The last user message is empty, or there is none.'],
	};
}

function describeWords(text: string): string {
	const longest = findLongestWord(text);
	return longest === '' ? '' : `its longest word is “${clip(longest, 60)}”, and `;
}

function findLongestWord(text: string): string {
	let longest = '';
	for (const [word] of clip(text, 100_000).matchAll(/[\p{L}\p{N}'’-]+/gu)) {
		if (word.length > longest.length) longest = word;
	}
	return clip(longest, 60);
}
