/** Checks what follows the verb of a command. */
import {ChatError} from '../errors.ts';
import {longFlagOf} from '../settings/options/option-row.ts';
import type {OptionRows} from './command-line/command-flags.ts';
import type {CommandLine} from './command-line/parse-argv.ts';

export type VerbRules<Rows extends OptionRows> = {
	/** As help prints it, with `chat` and the command. */
	readonly usage: string;
	readonly minWords: number;
	readonly maxWords: number;
	/** The flags of the command that this verb has. */
	readonly flags: ReadonlyArray<keyof Rows>;
};

/**
 * @param name of the command and the verb: `sessions list`
 * @param rows the flags that only some verbs of the command have
 * @throws {ChatError} `usage` when the words or the flags do not fit the verb
 */
export function checkVerb<Rows extends OptionRows>(
	name: string,
	{usage, minWords, maxWords, flags: known}: VerbRules<Rows>,
	rows: Rows,
	{words, flags}: {readonly words: readonly string[]; readonly flags: CommandLine['flags']},
): void {
	const [, foreign] =
		Object.entries(rows).find(([flag]) => flags[flag] !== undefined && !known.includes(flag)) ?? [];
	const rules = [
		foreign === undefined ? '' : `does not have ${longFlagOf(foreign)}`,
		words.length < minWords ? 'needs more arguments' : '',
		words.length > maxWords ? `takes ${maxWords === 0 ? 'no' : 'fewer'} arguments` : '',
	];
	const rule = rules.find((text) => text !== '');
	if (rule === undefined) return;
	throw new ChatError('usage', `${name} ${rule}`, {
		hint: `Write: ${usage}`,
	});
}
