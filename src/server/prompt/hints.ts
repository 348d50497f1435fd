/** Finds values for a schema in a prompt. */
import type {Hints} from '../schema/make-value.ts';
import type {Prompt} from './prompt.ts';

const maxTextLength = 2_000;

const numberPattern = /(?<![\w.])-?\d+(?:\.\d+)?(?!\w)/g;

/** `the weather in Rome?` is about Rome. */
const subjectPattern = /^.*\b(?:in|of|for|at|to|about) (\S[^?!]*)[?.!]*$/is;

const quotedPattern = /"([^"]+)"|“([^”]+)”|`([^`]+)`/;

export function findHints({instruction}: Prompt): Hints {
	const text = instruction.slice(0, maxTextLength);
	const lower = text.toLowerCase();
	const quoted = quotedPattern
		.exec(text)
		?.slice(1)
		.find((inner) => inner !== undefined);
	const subject = subjectPattern.exec(text)?.[1]?.replace(/\.$/, '');
	return {
		text: quoted ?? subject ?? text,
		numbers: (text.match(numberPattern) ?? []).map(Number),
		mentions: (word) => word !== '' && lower.includes(word.toLowerCase()),
		named: (name) => findNamed(text, lower, name.toLowerCase()),
	};
}

/** `city: Paris`, `city = "Paris"`. */
function findNamed(text: string, lower: string, name: string): string | undefined {
	const start = name === '' ? -1 : lower.indexOf(name);
	if (start < 0) return undefined;
	const found = /^["'`]?\s*[:=]\s*(?:"([^"\n]+)"|([^\s,;"]+))/.exec(
		text.slice(start + name.length),
	);
	return found?.[1] ?? found?.[2];
}
