/** `chat sessions`: finds, shows and deletes saved conversations. */
import type {ExitCode} from '../../../errors.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import type {Command, Invocation} from '../../command-line/command.ts';
import {listOutput, verboseOnly} from '../../command-line/shared-rows.ts';
import {browseSessions} from '../../run/saving/browse-sessions.ts';
import {deleteSessions} from './delete-sessions.ts';
import {exportSession} from './export-session.ts';
import {importSessions} from './import-sessions.ts';
import {listSessions} from './list-sessions.ts';
import {printPath} from './print-path.ts';
import {pruneSessions} from './prune-sessions.ts';
import {redactSession} from './redact-session.ts';
import {renameSession} from './rename-session.ts';
import {searchSessions} from './search-sessions.ts';
import {
	choosingRows,
	deleteRows,
	exportRows,
	inFolder,
	listRows,
	pruneRows,
	searchRows,
	showRows,
	type VerbRun,
} from './session-verb.ts';
import {showSession} from './show-session.ts';

const list = {
	args: '',
	summary:
		'print the conversations with an answer, the latest first (without a command: in a pipe)',
	flags: {...choosingRows, ...listRows},
	run: inFolder(listSessions),
};

export const sessions: Command = {
	name: 'sessions',
	description: 'Finds, shows, exports, imports and deletes saved conversations.',
	flags: {output: listOutput, profile: optionRows.profile, verbose: verboseOnly},
	bare: {...list, run: inFolder(listOrBrowse)},
	verbs: {
		list,
		search: {
			args: '<text...>',
			summary: 'print those whose title, prompts and answers have all of these texts',
			flags: {...choosingRows, ...searchRows},
			run: inFolder(searchSessions),
		},
		show: {
			args: '<id>',
			summary: 'print one as Markdown, up to where it continues',
			flags: showRows,
			complete: ['sessions'],
			run: inFolder(showSession),
		},
		export: {
			args: '<id>',
			summary: 'print one in full: as Markdown, JSON, HTML or messages of a request',
			flags: exportRows,
			complete: ['sessions'],
			run: inFolder(exportSession),
		},
		rename: {
			args: '<id> <title>',
			summary: 'change the title, which is the beginning of the first prompt',
			complete: ['sessions'],
			run: inFolder(renameSession),
		},
		path: {
			args: '[id]',
			summary: 'print the path of one, or of the folder of all',
			complete: ['sessions'],
			run: inFolder(printPath),
		},
		import: {
			args: '<file...>',
			summary:
				'save the conversations of a file, or of stdin (-): exports of ChatGPT and Claude (ZIP), chat completions, llm logs --json, ShareGPT',
			complete: ['files'],
			run: inFolder(importSessions),
		},
		delete: {
			args: '[id...]',
			summary:
				'delete these, with their own attachments and prompt history; --all: after a question',
			flags: deleteRows,
			complete: ['sessions'],
			run: inFolder(deleteSessions),
		},
		prune: {
			args: '',
			summary:
				'delete all conversations older than --older-than, or those --unanswered, after a question',
			flags: pruneRows,
			run: inFolder(pruneSessions),
		},
		redact: {
			args: '<id> [text]',
			summary:
				'mask a text in one, and in the prompt history; without the text, or with -, it is asked for, or read from a pipe, and stays out of your shell history',
			complete: ['sessions'],
			run: inFolder(redactSession),
		},
	},
	notes: [
		'On a terminal, chat sessions without a command lets you choose one and continue it.',
		'An id may be shortened to 4 characters. The exact title works too.',
	],
	examples: [
		'chat sessions search pelican "good name" --since 2w',
		'chat -r k3f9 "and in French?"',
		"chat sessions list -o json | jq -r '.[].title'",
	],
};

/** Lets the user choose a session, if terminals at both ends and no flags mean that. */
async function listOrBrowse(run: VerbRun, {flags}: Invocation): Promise<ExitCode> {
	const {directory, settings, environment} = run;
	const {stdin, stdout} = environment;
	const isList = Object.keys(list.flags).some((name) => flags[name] !== undefined);
	if (!isList && settings.output === 'text' && stdin.kind === 'terminal' && stdout.isTerminal) {
		const exitCode = await browseSessions(flags, directory, settings, environment);
		if (exitCode !== undefined) return exitCode;
	}
	return await listSessions(run);
}
