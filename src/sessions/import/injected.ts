/** Texts that programs add to what was typed. */
import type {Said} from './log-format.ts';

/** Returns a pattern of elements with these names, which may be patterns, at a text's start. */
export function elements(...names: readonly string[]): RegExp {
	return new RegExp(`^\\s*<(${names.join('|')})\\b[^>]*>[\\s\\S]*?</\\1>`);
}

/** Returns a prompt without what was added at its start. */
export function sayPrompt(
	text: string,
	injected: readonly RegExp[],
	images: readonly string[] = [],
): readonly Said[] {
	const leftOut: Said[] = [];
	let rest = text;
	for (let length = -1; length !== 0; rest = rest.slice(length)) {
		const found = injected.find((pattern) => pattern.test(rest));
		length = found?.exec(rest)?.[0].length ?? 0;
		if (length > 0) leftOut.push({type: 'left-out', what: 'injected text'});
	}
	return [...leftOut, {type: 'prompt', text: rest.trim(), images}];
}
