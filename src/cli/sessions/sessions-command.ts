/** `chat sessions`: shows and deletes saved conversations. */
import type {Turn} from '../../chat/conversation.ts';
import {messageText} from '../../chat/message.ts';
import type {Environment} from '../../environment.ts';
import {ChatError, type ExitCode} from '../../errors.ts';
import {toJsonLine} from '../../json.ts';
import {printExact, printInfo, printText} from '../../output/print.ts';
import {deleteSession} from '../../sessions/delete-session.ts';
import {findSession, type SessionSummary, summarize} from '../../sessions/find-session.ts';
import {readSession, type StoredSession} from '../../sessions/read-session.ts';
import {appendTitle} from '../../sessions/rename-session.ts';
import {createSearch, type SearchMatch} from '../../sessions/search-sessions.ts';
import {listSessionFiles} from '../../sessions/session-files.ts';
import {loadSettings} from '../../settings/options/load-settings.ts';
import type {Settings} from '../../settings/options/settings.ts';
import {stripToLine} from '../../terminal/safe-text.ts';
import {describeAge} from '../../wording.ts';
import type {CommandLine} from '../command-line/parse-argv.ts';
import type {sessionVerbs} from '../command-line/resolve-command.ts';
import {findSessionsFolder} from './save-conversation.ts';

type Run = {
	/** The words after the verb. */
	readonly words: readonly string[];
	/** The folder of saved conversations. */
	readonly directory: string;
	readonly settings: Settings;
	readonly environment: Environment;
};

type Verb = {
	readonly usage: string;
	readonly minWords: number;
	readonly maxWords: number;
	readonly run: (run: Run) => Promise<ExitCode>;
};

const verbs: Readonly<Record<(typeof sessionVerbs)[number], Verb>> = {
	list: {usage: 'chat sessions list', minWords: 0, maxWords: 0, run: printList},
	search: {
		usage: 'chat sessions search <text...>',
		minWords: 1,
		maxWords: Number.POSITIVE_INFINITY,
		run: printMatches,
	},
	rename: {usage: 'chat sessions rename <id> <title>', minWords: 2, maxWords: 2, run: rename},
	show: {usage: 'chat sessions show <id>', minWords: 1, maxWords: 1, run: printSession},
	path: {usage: 'chat sessions path [id]', minWords: 0, maxWords: 1, run: printPath},
	delete: {
		usage: 'chat sessions delete <id...>',
		minWords: 1,
		maxWords: Number.POSITIVE_INFINITY,
		run: deleteAll,
	},
};

export async function runSessionsCommand(
	{words, flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const [name = 'list', ...rest] = words.map(({text}) => text);
	const verb = Object.entries(verbs).find(([known]) => known === name)?.[1] ?? verbs.list;
	if (rest.length < verb.minWords || rest.length > verb.maxWords) {
		const rule = rest.length < verb.minWords ? 'needs more arguments' : 'takes fewer arguments';
		throw new ChatError('usage', `sessions ${name} ${rule}`, {
			hint: {code: 'own-words', words: `Write: ${verb.usage}`},
		});
	}
	const {settings} = loadSettings(flags, environment);
	const directory = findSessionsFolder(settings, environment);
	if (directory === undefined) {
		throw new ChatError('input', 'there is no home folder for conversations', {
			hint: {code: 'set-home'},
		});
	}
	return await verb.run({words: rest, directory, settings, environment});
}

async function printList({directory, settings, environment}: Run): Promise<ExitCode> {
	const summaries = listSessionFiles(directory).flatMap((file) => summarize(file) ?? []);
	const values = summaries.map(summaryToJson);
	if (settings.output === 'json') return await printText(toJsonLine(values), environment);
	if (settings.output === 'jsonl') {
		return await printText(values.map(toJsonLine).join(''), environment);
	}
	const now = environment.date();
	const lines = summaries.map(({id, updated, turns, title}) => {
		const age = describeAge(now - updated).padStart(12);
		const count = `${turns} ${turns === 1 ? 'turn ' : 'turns'}`.padStart(9);
		return `${id}  ${age}  ${count}  ${stripToLine(title)}\n`;
	});
	return await printText(lines.join(''), environment);
}

function summaryToJson({id, title, created, updated, turns, model, cwd}: SessionSummary) {
	const times = {created: isoTime(created), updated: isoTime(updated)};
	return {id, title, ...times, turns, model: model ?? null, cwd: cwd ?? null};
}

function isoTime(ms: number): string {
	return new Date(ms).toISOString();
}

async function printMatches({words, directory, settings, environment}: Run): Promise<ExitCode> {
	const search = createSearch(words);
	const found = listSessionFiles(directory).flatMap((file) => {
		const match = search(file);
		const summary = match && summarize(file);
		return summary === undefined ? [] : [{...summary, ...match}];
	});
	const now = environment.date();
	const format = {
		json: () => toJsonLine(found.map(matchToJson)),
		jsonl: () => found.map((match) => toJsonLine(matchToJson(match))).join(''),
		text: () =>
			found
				.map(({id, updated, title, excerpt}) => {
					const age = describeAge(now - updated).padStart(12);
					return `${id}  ${age}  "${stripToLine(title)}"  ${stripToLine(excerpt ?? '')}\n`;
				})
				.join(''),
	};
	await printText(format[settings.output](), environment);
	return found.length === 0 ? 1 : 0;
}

function matchToJson({role, excerpt, ...summary}: SessionSummary & Partial<SearchMatch>) {
	return {...summaryToJson(summary), role, excerpt};
}

async function rename({words, directory, environment}: Run): Promise<ExitCode> {
	const [word = '', title = ''] = words;
	const {id, path} = findSession(directory, word);
	try {
		appendTitle(path, title);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('output', `cannot rename ${id}: ${message}`, {cause});
	}
	printInfo(`${id} is now called "${title}"`, environment);
	return 0;
}

async function printSession({words, directory, settings, environment}: Run): Promise<ExitCode> {
	const session = readSession(findSession(directory, words[0] ?? ''), directory);
	for (const {message} of session.notices) printInfo(message, environment);
	if (settings.output !== 'text') {
		return await printText(toJsonLine(sessionToJson(session)), environment);
	}
	const {system, turns} = session.conversation;
	const sections = [
		...(system === '' ? [] : [`## System\n\n${system}`]),
		...turns.flatMap((turn) => [
			`## User\n\n${promptText(turn)}`,
			`## Assistant\n\n${answerText(turn)}`,
		]),
	];
	return await printExact(sections.join('\n\n'), environment);
}

function sessionToJson({id, title, created, updated, settings, cwd, conversation}: StoredSession) {
	const {system, turns} = conversation;
	return {
		...{id, title, created: isoTime(created), updated: isoTime(updated)},
		...{model: settings?.model ?? null, cwd, system},
		turns: turns.map((turn) => ({
			at: isoTime(turn.times.startedAt),
			model: turn.model,
			prompt: turn.prompt.text,
			attachments: turn.prompt.attachments.map(({name}) => name),
			answer: answerText(turn),
			status: turn.status,
		})),
	};
}

function promptText({prompt: {text, attachments}}: Turn): string {
	return [...attachments.map(({name}) => `[${name}]`), text].join('\n');
}

function answerText({messages}: Turn): string {
	return messages
		.flatMap((message) => (message.role === 'assistant' ? [messageText(message)] : []))
		.join('\n\n');
}

async function printPath({words: [word], directory, environment}: Run): Promise<ExitCode> {
	const path = word === undefined ? directory : findSession(directory, word).path;
	return await printExact(path, environment);
}

async function deleteAll({words, directory, environment}: Run): Promise<ExitCode> {
	// A mistake in one of the words deletes nothing.
	const files = words.map((word) => findSession(directory, word));
	for (const file of files) {
		try {
			deleteSession(file, directory);
		} catch (cause) {
			const {message} = cause as Error;
			throw new ChatError('output', `cannot delete ${file.id}: ${message}`, {cause});
		}
		printInfo(`deleted ${file.id}`, environment);
	}
	return 0;
}
