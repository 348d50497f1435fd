/** Mistakes in flags and arguments, with what to write instead. */
import {findClosest} from '../../did-you-mean.ts';
import {ChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {isKeyName} from '../../redact.ts';
import {longFlagOf} from '../../settings/options/option-row.ts';
import {configKeyOf, configKeys, rowOf, settingNames} from '../../settings/options/settings.ts';
import {
	type Command,
	type Flag,
	flagsOf,
	rowsOf,
	textFlags,
	usageOf,
	type Verb,
	type Word,
} from './command.ts';
import {findForeignFlag} from './foreign-commands.ts';
import {countArguments, type Reading} from './program.ts';

export function findUnknownFlag(
	command: Command,
	argv: readonly string[],
	{given, unknown}: Reading,
): ChatError | undefined {
	const flags = [...flagsOf(rowsOf(command)), ...textFlags];
	const foreign = given.find(({flag}) => !flags.some(({long}) => long === flag.long));
	const text = foreign === undefined ? unknown : spellingIn(argv, foreign.flag);
	return text === undefined ? undefined : unknownFlag(text, flags, programOf(command));
}

export function findMissingValue(command: Command, {incomplete}: Reading): ChatError | undefined {
	if (incomplete === undefined) return undefined;
	const flag = flagsOf(rowsOf(command)).find(({long, short = ''}) =>
		incomplete.startsWith('--') ? incomplete === `--${long}` : incomplete.endsWith(short || ' '),
	);
	const isResume = flag?.name === 'resume';
	const choose = 'chat sessions lists the conversations; chat -c continues the latest one.';
	return new ChatError('usage', `${incomplete} needs a value: ${flag?.spelling}`, {
		hint: isResume ? choose : hintOf(programOf(command)),
	});
}

type Given = {
	readonly words: readonly Word[];
	readonly flags: Readonly<Record<string, readonly string[]>>;
};

/**
 * Returns the failure of words or flags that a verb does not have.
 *
 * @param name of the verb; undefined for a command alone
 */
export function findMisfit(
	command: Command,
	name: string | undefined,
	verb: Verb,
	{words, flags}: Given,
): ChatError | undefined {
	const shown = [command.name, name].filter(Boolean).join(' ');
	const known = rowsOf(command, verb);
	const foreign = Object.keys(flags).find((flag) => known[flag] === undefined && flag !== 'help');
	const row = foreign === undefined ? undefined : rowsOf(command)[foreign];
	const {args, isProgram} = splitArguments(verb);
	const counted = words.filter(({isLiteral}) => !(isProgram && isLiteral));
	const problem =
		row === undefined
			? countArguments(
					args,
					counted.map(({text}) => text),
				)
			: `does not have ${longFlagOf(row)}`;
	if (problem === undefined) return undefined;
	const usage = `Write: ${usageOf(command, name, verb)}`;
	return new ChatError('usage', `${shown} ${problem}`, {
		hint: row === undefined ? (verb.advice ?? usage) : usage,
	});
}

/** Separates the arguments from a program after `--`. */
export function splitArguments({args}: Verb): {args: string; isProgram: boolean} {
	const [own = '', program] = args.split(/ ?\[?-- /);
	return {args: own, isProgram: program !== undefined};
}

function programOf({name}: Command): string {
	return name === 'chat' ? 'chat' : `chat ${name}`;
}

/** Returns a flag as it was typed. */
function spellingIn(argv: readonly string[], {long, short}: Flag): string {
	const isLong = argv.some((text) => text === `--${long}` || text.startsWith(`--${long}=`));
	return isLong || short === undefined ? `--${long}` : `-${short}`;
}

function hintOf(program: string): Hint {
	return program === 'chat'
		? 'chat help all lists the options; -O key=value sends any field of the request; what follows -- is the prompt.'
		: `${program} --help lists the options.`;
}

/** The value is left out: it may be a secret, as in the `--api-key=` of other programs. */
function unknownFlag(text: string, flags: readonly Flag[], program: string): ChatError {
	const [written = ''] = text.split('=');
	const name = written.replace(/^-+/, '');
	const refuse = (message: string, hint: Hint) => new ChatError('usage', message, {hint});
	if (text.includes('=') && flags.some(({long}) => long === name)) {
		return refuse(`${written} takes no value`, hintOf(program));
	}
	if (text.startsWith('--') && isKeyName(name)) {
		return refuse(
			`there is no flag for an API key: unknown option '${written}'`,
			'Other users can read a command line. Store the key with chat auth set, or set CHAT_API_KEY.',
		);
	}
	if (configKeys.has(name) && !settingNames.some((known) => longFlagOf(rowOf(known)) === written)) {
		return refuse(
			`${written} is not an option, but a key of the config file`,
			`Set it with: chat config set ${name} VALUE`,
		);
	}
	const negated = flags.find(({long, takesValue}) => takesValue && `no-${long}` === name);
	if (negated !== undefined && canDrop(negated)) {
		return refuse(
			`unknown option '${written}'`,
			`To drop a stored value for one run: --${negated.long} ''`,
		);
	}
	const names = flags.map(({long}) => long);
	const isLong = text.startsWith('--');
	const known = isLong && program === 'chat' ? findForeignFlag(name) : undefined;
	const closest = negated?.long ?? (isLong ? findClosest(name, names) : undefined);
	const meant = known ?? (closest && `--${closest}`);
	const suggestion = meant === undefined ? '' : ` (Did you mean ${meant}?)`;
	return refuse(`unknown option '${written}'${suggestion}`, hintOf(program));
}

/** Whether an empty value drops one of the config file. */
function canDrop({name}: Flag): boolean {
	const setting = settingNames.find((known) => known === name);
	if (setting === undefined || configKeyOf(setting) === undefined) return false;
	const {parse, defaultValue} = rowOf(setting);
	try {
		parse('', defaultValue);
		return true;
	} catch {
		return false;
	}
}
