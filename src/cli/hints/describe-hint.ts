/** Describes hints with words that only the runs that need them load. */
import type {Hint} from '../../hint.ts';
import type {SettingsWarning} from '../../settings/options/unknown-keys.ts';

/** Returns undefined if the words cannot be loaded: no failure should be lost for want of a hint. */
export async function describeHint(hint: Hint): Promise<string | undefined> {
	const words = await import('./hint-words.ts').catch(() => undefined);
	return words?.wordsOf(hint);
}

export async function describeWarning({problem, hint}: SettingsWarning): Promise<string> {
	const words = hint && (await describeHint(hint));
	return words === undefined ? problem : `${problem}. ${words}`;
}
