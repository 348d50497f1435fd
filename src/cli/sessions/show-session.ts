/** `chat sessions show`: prints a conversation as Markdown. */
import type {Turn} from '../../chat/conversation.ts';
import {messageText} from '../../chat/message.ts';
import type {ExitCode} from '../../errors.ts';
import {toJsonLine} from '../../json.ts';
import {printExact, printInfo, printText} from '../../output/print.ts';
import {findSession} from '../../sessions/find-session.ts';
import {readSession, type StoredSession} from '../../sessions/read-session.ts';
import type {VerbRun} from './session-verb.ts';
import {isoTime} from './summary-json.ts';

export async function showSession({
	words,
	directory,
	settings,
	environment,
}: VerbRun): Promise<ExitCode> {
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
