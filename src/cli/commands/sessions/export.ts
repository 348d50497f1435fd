/** `chat sessions show` and `export`: prints a conversation for people or other programs. */
import type {Turn} from '../../../chat/conversation.ts';
import {printExact, printInfo} from '../../../output/print.ts';
import {type ExportedSession, withoutReasoning} from '../../../sessions/export/exported-session.ts';
import {findSession} from '../../../sessions/find-session.ts';
import {type StoredSession, withUnanswered} from '../../../sessions/read-session.ts';
import {inGroup, option, toggle} from '../../../settings/options/option-row.ts';
import {oneOf} from '../../../settings/options/parsers.ts';
import {plural} from '../../../wording.ts';
import {exportFormats, exportWords, shownForms} from '../../run/saving/export-formats.ts';
import {readStored} from '../../run/saving/resume-session.ts';
import {type SessionRun, sessionVerb} from './session-verb.ts';

export const show = sessionVerb({
	args: '<id>',
	summary: 'print one for reading: as Markdown without its reasoning, up to where it continues',
	flags: inGroup('Options', {
		allBranches: toggle(false, {
			flags: ['--all-branches'],
			summary: 'print other branches, too',
		}),
	}),
	complete: ['sessions'],
	async run({flags: {allBranches}, ...run}) {
		const {environment} = run;
		const {output} = run.settings;
		const session = readExported(run);
		const write = await shownForms[output]();
		if (output !== 'text') return await printExact(write(session), environment);
		const conversation = withoutReasoning(session.conversation);
		const {length} = conversation.otherTurns;
		if (length > 0 && !allBranches) {
			const message = `${session.id} has ${plural(length, 'turn')} on other branches`;
			printInfo(`${message}; --all-branches shows them`, environment);
		}
		const shown = allBranches ? conversation : {...conversation, otherTurns: []};
		return await printExact(write({...session, conversation: shown}), environment);
	},
});

export const exportOne = sessionVerb({
	args: '<id>',
	summary: 'print one in full: as Markdown, JSON, HTML or messages of a request',
	flags: inGroup('Options', {
		format: option(oneOf(...exportWords), {
			flags: ['--format <format>'],
			defaultValue: 'md',
			summary: exportWords.map(nameFormat).join(', '),
		}),
		keepReasoning: toggle(true, {
			flags: ['--no-reasoning'],
			summary: 'leave the reasoning out',
		}),
	}),
	complete: ['sessions'],
	async run({flags: {format, keepReasoning}, ...run}) {
		const session = readExported(run);
		const {conversation} = session;
		const kept = keepReasoning ? conversation : withoutReasoning(conversation);
		const write = await exportFormats[format].load();
		return await printExact(write({...session, conversation: kept}), run.environment);
	},
});

function nameFormat(word: (typeof exportWords)[number]): string {
	const {meaning} = exportFormats[word];
	return meaning === undefined ? word : `${word} (${meaning})`;
}

function readExported({
	words: [word = ''],
	directory,
	environment,
}: Omit<SessionRun, 'flags'>): ExportedSession {
	const session = readStored(findSession(directory, word));
	for (const {message} of session.notices) printInfo(message, environment);
	const {id, title, created, settings} = session;
	const conversation = withDraft(session);
	const model = settings?.model ?? conversation.turns.at(-1)?.model ?? '';
	return {id, title, created, model, conversation};
}

/** Adds a prompt left unanswered by its run. */
function withDraft(session: StoredSession): ExportedSession['conversation'] {
	const {id, draft, updated, settings} = session;
	const conversation = withUnanswered(session);
	if (draft === undefined) return conversation;
	const turn: Turn = {
		id: `${id}-draft`,
		prompt: draft,
		model: settings?.model ?? '',
		messages: [],
		times: {startedAt: updated, reasoningMs: 0, totalMs: 0},
		status: 'incomplete',
	};
	return {...conversation, turns: [...conversation.turns, turn]};
}
