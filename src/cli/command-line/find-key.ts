/** Finds API keys among the words of a command line, which would be sent and saved with the prompt. */
import {ChatError} from '../../errors.ts';
import {hostedProviders} from '../../providers.ts';
import type {Word} from './command.ts';

/** The beginnings of keys that people have in their clipboards, besides those of services. */
const otherPrefixes = ['ghp_', 'gho_', 'github_pat_', 'glpat-', 'AKIA'];

const prefixes = [...hostedProviders.flatMap(({keyPrefix = []}) => keyPrefix), ...otherPrefixes];

/** Words such as `hf_hub_download` have no digit. */
const keyShape = new RegExp(`(?<![\\w-])(?:${prefixes.join('|')})(?=[\\w-]*\\d)[\\w-]{12,}`);

/** Returns the failure of a line with a key in it. It does not repeat the key. */
export function findKey(words: readonly Word[]): ChatError | undefined {
	if (!words.some(({text, isLiteral}) => !isLiteral && keyShape.test(text))) return undefined;
	return new ChatError('usage', 'the prompt has what looks like an API key, so it was not sent', {
		hint: 'To store a key: chat auth set (it asks for the key, which then stays out of your shell history). To send this prompt: put -- before its words.',
	});
}
