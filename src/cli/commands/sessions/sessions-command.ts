/** `chat sessions`: finds, shows and deletes saved conversations. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {homeHint} from '../../../settings/files/config-path.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {checkVerb} from '../../check-verb.ts';
import type {CommandLine} from '../../command-line/parse-argv.ts';
import {readFlags} from '../../command-line/read-flags.ts';
import type {sessionVerbs} from '../../command-line/resolve-command.ts';
import {sessionRows} from '../../command-line/session-options.ts';
import {findSessionsFolder} from '../../run/saving/save-conversation.ts';
import type {Verb} from './session-verb.ts';

const anyNumber = Number.POSITIVE_INFINITY;

const choosingFlags = ['limit', 'since', 'model', 'here'] as const;

export const verbs: Readonly<Record<(typeof sessionVerbs)[number], Verb>> = {
	list: {
		usage: 'chat sessions list [-n <n>] [--since <age>] [-m <name>] [--here] [--all]',
		minWords: 0,
		maxWords: 0,
		flags: ['all', ...choosingFlags],
		load: async () => (await import('./list-sessions.ts')).listSessions,
	},
	search: {
		usage:
			'chat sessions search <text...> [--role <role>] [-n <n>] [--since <age>] [-m <name>] [--here]',
		minWords: 1,
		maxWords: anyNumber,
		flags: ['role', ...choosingFlags],
		load: async () => (await import('./search-sessions.ts')).searchSessions,
	},
	show: {
		usage: 'chat sessions show <id> [--all-branches]',
		minWords: 1,
		maxWords: 1,
		flags: ['allBranches'],
		load: async () => (await import('./show-session.ts')).showSession,
	},
	export: {
		usage: 'chat sessions export <id> [--format <format>] [--no-reasoning]',
		minWords: 1,
		maxWords: 1,
		flags: ['format', 'keepReasoning'],
		load: async () => (await import('./export-session.ts')).exportSession,
	},
	rename: {
		usage: 'chat sessions rename <id> <title>',
		minWords: 2,
		maxWords: 2,
		flags: [],
		load: async () => (await import('./rename-session.ts')).renameSession,
	},
	path: {
		usage: 'chat sessions path [id]',
		minWords: 0,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./print-path.ts')).printPath,
	},
	import: {
		usage: 'chat sessions import <file...>',
		minWords: 1,
		maxWords: anyNumber,
		flags: [],
		load: async () => (await import('./import-sessions.ts')).importSessions,
	},
	delete: {
		usage: 'chat sessions delete <id...>, or chat sessions delete --all [--yes]',
		minWords: 0,
		maxWords: anyNumber,
		flags: ['all', 'yes'],
		load: async () => (await import('./delete-sessions.ts')).deleteSessions,
	},
	prune: {
		usage: 'chat sessions prune [--older-than <age>] [--unanswered] [--dry-run] [--yes]',
		minWords: 0,
		maxWords: 0,
		flags: ['olderThan', 'unanswered', 'dryRun', 'yes'],
		load: async () => (await import('./prune-sessions.ts')).pruneSessions,
	},
	redact: {
		usage: 'chat sessions redact <id> [text|-]',
		minWords: 1,
		maxWords: 2,
		flags: [],
		load: async () => (await import('./redact-session.ts')).redactSession,
	},
};

export async function runSessionsCommand(
	line: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const {words, flags} = line;
	const [name = 'list', ...rest] = words.map(({text}) => text);
	const verb = Object.entries(verbs).find(([known]) => known === name)?.[1] ?? verbs.list;
	checkVerb(`sessions ${name}`, verb, sessionRows, {words: rest, flags});
	const {settings} = loadSettings(flags, environment);
	const directory = findSessionsFolder(settings, environment);
	if (directory === undefined) {
		throw new ChatError('input', 'there is no home folder for conversations', {
			hint: homeHint,
		});
	}
	if (isChoice(line, settings, environment)) {
		const {browseSessions} = await import('../../run/saving/browse-sessions.ts');
		const exitCode = await browseSessions(line, directory, settings, environment);
		if (exitCode !== undefined) return exitCode;
	}
	const ownFlags = readFlags(sessionRows, flags);
	const run = await verb.load();
	return await run({words: rest, flags: ownFlags, directory, settings, environment});
}

/** Whether the user is to choose a session: without a verb, terminals at both ends mean that. */
function isChoice(
	{words, flags}: CommandLine,
	{output}: Settings,
	{stdin, stdout}: Environment,
): boolean {
	const isList = Object.keys(sessionRows).some((name) => flags[name] !== undefined);
	if (words.length > 0 || isList || output !== 'text') return false;
	return stdin.kind === 'terminal' && stdout.isTerminal;
}
