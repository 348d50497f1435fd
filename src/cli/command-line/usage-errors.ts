/** Mistakes in flags and arguments, with what to write instead. */
import {findClosest} from '../../did-you-mean.ts';
import {ChatError} from '../../errors.ts';
import {hostedProviders} from '../../providers.ts';
import {isKeyName} from '../../redact.ts';
import {longFlagOf} from '../../settings/options/option-row.ts';
import {configKeyOf, configKeys, rowOf, settingNames} from '../../settings/options/settings.ts';
import {
	type Command,
	type CommandUse,
	type Flag,
	flagsOf,
	rowsOf,
	separateProgram,
	textFlags,
	usageOf,
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
	return text === undefined ? undefined : unknownFlag(text, flags, command);
}

/** Returns a flag as typed. */
function spellingIn(argv: readonly string[], {long, short}: Flag): string {
	const isLong = argv.some((text) => text === `--${long}` || text.startsWith(`--${long}=`));
	return isLong || short === undefined ? `--${long}` : `-${short}`;
}

export function findMissingValue(command: Command, {incomplete}: Reading): ChatError | undefined {
	if (incomplete === undefined) return undefined;
	const flag = flagsOf(rowsOf(command)).find(({long, short = ''}) =>
		incomplete.startsWith('--') ? incomplete === `--${long}` : incomplete.endsWith(short || ' '),
	);
	const isResume = flag?.name === 'resume';
	const choose = 'chat sessions lists the conversations; chat -c continues the latest one.';
	return new ChatError('usage', `${incomplete} needs a value: ${flag?.spelling}`, {
		hint: isResume ? choose : hintOf(command),
	});
}

/** Returns the error for unknown words or flags after a verb. */
export function findMisfit(use: CommandUse): ChatError | undefined {
	const {command, verbName, verb, words, flags} = use;
	if (verb === undefined) return undefined;
	const usage = `Write: ${verb.usage ?? usageOf(command, verbName, verb)}`;
	const refuse = (problem: string, hint: string) => {
		const shown = [command.name, verbName].filter(Boolean).join(' ');
		return new ChatError('usage', `${shown} ${problem}`, {hint});
	};
	const known = rowsOf(command, verb);
	const foreign = Object.entries(rowsOf(command)).find(([name]) => flags[name] && !known[name]);
	if (foreign !== undefined) return refuse(`does not have ${longFlagOf(foreign[1])}`, usage);
	const {args, words: given, isProgram} = separateProgram(verb, words);
	const {least, most} = countArguments(args);
	if (given.length < least) return refuse('needs more arguments', command.advice ?? usage);
	if (given.length <= most) return undefined;
	if (most === 0) return refuse('takes no arguments', command.advice ?? usage);
	const quoting = isProgram || verb.usage ? '' : '; quote an argument of several words';
	return refuse('takes fewer arguments', command.advice ?? usage + quoting);
}

/** Prefixes of keys people have in their clipboards, besides those of services. */
const otherPrefixes = ['ghp_', 'gho_', 'github_pat_', 'glpat-', 'AKIA'];

const prefixes = [...hostedProviders.flatMap(({keyPrefix = []}) => keyPrefix), ...otherPrefixes];

/** Words such as `hf_hub_download` have no digit. */
const keyShape = new RegExp(`(?<![\\w-])(?:${prefixes.join('|')})(?=[\\w-]*\\d)[\\w-]{12,}`);

/**
 * Returns the error for a prompt containing a key, which would be sent and saved. The message omits
 * the key.
 */
export function findPastedKey(words: readonly Word[]): ChatError | undefined {
	if (!words.some(({text, isLiteral}) => !isLiteral && keyShape.test(text))) return undefined;
	return new ChatError('usage', 'the prompt has what looks like an API key, so it was not sent', {
		hint: 'To store a key: chat auth set (it asks for the key, which then stays out of your shell history). To send this prompt: put -- before its words.',
	});
}

function hintOf({name}: Command): string {
	return name === 'chat'
		? 'chat help all lists the options; -O key=value sends any field of the request; what follows -- is the prompt.'
		: `chat ${name} --help lists the options.`;
}

/** Omits the value: it may be a secret, as in other programs' `--api-key=`. */
function unknownFlag(text: string, flags: readonly Flag[], command: Command): ChatError {
	const [written = ''] = text.split('=');
	const name = written.replace(/^-+/, '');
	const isLong = text.startsWith('--');
	const refuse = (message: string, hint: string) => new ChatError('usage', message, {hint});
	if (text.includes('=') && flags.some(({long}) => long === name)) {
		return refuse(`${written} takes no value`, hintOf(command));
	}
	if (isLong && isKeyName(name)) {
		return refuse(
			`there is no flag for an API key: unknown option '${written}'`,
			'Other users can read a command line. Store the key with chat auth set, or set CHAT_API_KEY.',
		);
	}
	const setting = configKeys.get(name);
	if (setting !== undefined && longFlagOf(rowOf(setting)) !== written) {
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
	const foreign = isLong && command.name === 'chat' ? findForeignFlag(name) : undefined;
	const names = flags.map(({long}) => long);
	const closest = negated?.long ?? (isLong ? findClosest(name, names) : undefined);
	const meant = foreign ?? (closest && `--${closest}`);
	const suggestion = meant === undefined ? '' : ` (Did you mean ${meant}?)`;
	return refuse(`unknown option '${written}'${suggestion}`, hintOf(command));
}

/** Whether an empty value drops a config value. */
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
