/** Says what the service is and what it can do, and describes a prompt that no other rule knows. */
import {plural} from '../../wording.ts';
import type {Prompt} from './prompt.ts';
import {countWords, fingerprint, quote} from './text.ts';

/** The sentence that keeps anybody from taking this service for a model. */
const selfDescription =
	'I am the built-in service of `chat`: I answer by rules and am not a language model.';

const abilitiesPattern =
	/^(?:help|what (?:can|do) (?:you|i) (?:do|ask|say)|who are you|what are you)\b[^\n]{0,40}$/i;

const abilities = [
	'repeat: “say hello”, “repeat after me: …”, “repeat banana 3 times”',
	'count: “count to 10”',
	'recall: “what did I say first?”, “repeat your last answer”',
	'describe what I received: files, images, “show the parameters”',
	'write: “500 words”, code, Markdown of every kind, a list of 7 items, JSON',
	'think first: “think for 300 words: …”, with a model of the sol tier',
	'call tools: those you give me, with arguments that fit their schemas',
] as const;

export function describeAbilities({question}: Prompt): string | undefined {
	if (!abilitiesPattern.test(question)) return undefined;
	const list = abilities.map((ability) => `- ${ability}`).join('\n');
	return `${selfDescription} I can:\n\n${list}`;
}

export function describePrompt({instruction, whole, system, earlier}: Prompt): string {
	const asked = instruction === '' ? whole.trim() : instruction;
	const size = `${plural(countWords(asked), 'word')}, ${plural(asked.length, 'character')}`;
	const before = earlier.filter(({role}) => role === 'user').length;
	const sentences = [
		`You wrote ${quote(asked, 300)}: ${size}, fingerprint ${fingerprint(whole)}.`,
		...(before === 0 ? [] : [`It came after ${plural(before, 'message')} of yours.`]),
		...(system === '' ? [] : [`The system message says ${quote(system, 120)}.`]),
	];
	const help = `${selfDescription} To see what I can do, ask “what can you do?”`;
	return `${sentences.join(' ')}\n\n${help}`;
}
