/** The rules, in matching order. Each answers the prompts it knows. */
import {plural} from '../../wording.ts';
import {describeAttachments, describeParameters, describeToolResults} from './describe.ts';
import type {Prompt} from './prompt.ts';
import {countUp, recall, repeat} from './repeat.ts';
import {countWords, fingerprint, quote} from './text.ts';
import {showMarkdown, writeText} from './write.ts';

type Rule = readonly [
	name: string,
	answer: (prompt: Prompt) => string | undefined,
	/** The rule in its own words, for `what can you do?`. */
	ability?: string,
];

const rules: readonly Rule[] = [
	['tool results', describeToolResults],
	['recall', recall, 'recall: “what did I say first?”, “repeat your last answer”'],
	['repeat', repeat, 'repeat: “say hello”, “repeat after me: …”, “repeat banana 3 times”'],
	['parameters', describeParameters, 'describe your request: “show the parameters”'],
	['abilities', describeAbilities],
	['count', countUp, 'count: “count to 10”'],
	['words', writeText, 'write text: “500 words”'],
	['Markdown', showMarkdown, 'write code, Markdown of every kind, a list of 7 items'],
	['attachments', describeAttachments, 'describe the files and images that I receive'],
];

/** Available in every reply, whichever rule answers. */
const otherAbilities = [
	'think first: “think for 300 words: …”, with a model of the sol tier',
	'call tools: those you give me, with arguments of the types in their schemas',
	'answer in JSON, of your schema if you give one',
] as const;

export type Answer = {readonly text: string; readonly rule: string};

export function findAnswer(prompt: Prompt): Answer {
	for (const [name, answer] of rules) {
		const text = answer(prompt);
		if (text !== undefined) return {text, rule: name};
	}
	return {text: describePrompt(prompt), rule: 'fallback'};
}

/** Prevents anyone from taking this service for a model. */
const selfDescription =
	'I am the built-in service of `chat`: I answer by rules and am not a language model.';

const abilitiesPattern =
	/^(?:help|what (?:can|do) (?:you|i) (?:do|ask|say)|who are you|what are you)\b[^\n]{0,40}$/i;

function describeAbilities({question}: Prompt): string | undefined {
	if (!abilitiesPattern.test(question)) return undefined;
	const own = rules.flatMap(([, , ability]) => ability ?? []);
	const list = [...own, ...otherAbilities].map((ability) => `- ${ability}`);
	return `${selfDescription} I can:\n\n${list.join('\n')}`;
}

function describePrompt({instruction, whole, system, earlier}: Prompt): string {
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
