/** Advice for words resembling a command. */
import {findClosest} from '../../did-you-mean.ts';
import {ChatError} from '../../errors.ts';
import type {Command, CommandTable, Word} from './command.ts';
import {findForeign, findSameVerb} from './foreign-commands.ts';

type Line = {
	/** Whether a flag, such as an attached file, marks the words as a prompt. */
	readonly isPrompt: boolean;
	/** Returns the arguments from the first word on, with the flags among them. */
	readonly listWritten: () => readonly string[];
};

/** Returns undefined if the words are a prompt. */
export async function suggestCommand(
	words: readonly Word[],
	{isPrompt, listWritten}: Line,
	commands: CommandTable,
): Promise<ChatError | undefined> {
	const [first, ...rest] = words;
	const word = first?.text ?? '';
	const foreign = isPrompt ? undefined : findForeign(words.map(({text}) => text));
	if (foreign !== undefined) return refuse(listWritten(), `Did you mean ${foreign}?`);
	if (word === 'help' && rest.length === 1) {
		return refuse(listWritten(), 'chat --help lists the commands.');
	}
	const closest = findClosest(word, Object.keys(commands));
	const command = closest === undefined ? undefined : await commands[closest]?.load();
	if (command === undefined || !isFollowed(command, rest)) return undefined;
	const written = listWritten();
	const following = hideHeaders(written).slice(1);
	return refuse(written, `Did you mean chat ${[command.name, ...following].join(' ')}?`);
}

/** Whether these words may follow a command: none, or a verb as the first one. */
function isFollowed({verbs}: Command, [verb]: readonly Word[]): boolean {
	return verb === undefined || (!verb.isLiteral && Object.hasOwn(verbs, verb.text));
}

/** @param words those after the command; the first is not a known verb */
export function suggestVerb(
	command: Command,
	words: readonly Word[],
	written: readonly string[],
): ChatError {
	const verbs = Object.keys(command.verbs);
	const [next] = words;
	const word = next === undefined || next.isLiteral ? '' : next.text;
	const isShort = words.length <= 2;
	const advice = isShort ? command.advise?.(word) : undefined;
	if (advice !== undefined) return refuse(written, advice, true);
	if (verbs.length === 0) return refuse(written, '');
	const same = findSameVerb(word, verbs);
	const closest = same ?? findClosest(word, verbs);
	return closest === undefined
		? refuse(written, `chat ${command.name} --help lists its commands.`)
		: refuse(
				written,
				`Did you mean chat ${command.name} ${closest}?`,
				isShort && same !== undefined,
			);
}

/** @param isSure whether the words cannot be meant as a prompt */
function refuse(written: readonly string[], advice: string, isSure = false): ChatError {
	const shown = hideHeaders(written).join(' ');
	const asPrompt = isSure ? '' : `To send it as a prompt: chat -- ${shown}`;
	return new ChatError('usage', `unknown command "${shown}"`, {
		hint: [advice, asPrompt].filter(Boolean).join(' '),
	});
}

/** Threat: a secret in a header, ending up in a log through a message. */
function hideHeaders(argv: readonly string[]): readonly string[] {
	return argv.map((text, place) =>
		argv[place - 1] === '--header' ? '…' : text.replace(/^--header=.*/s, '--header=…'),
	);
}
