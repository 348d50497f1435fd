/** `chat sessions show`: prints a conversation as Markdown. */
import {applyChange, branchEnds, type Conversation, type Turn} from '../../../chat/conversation.ts';
import {messageText} from '../../../chat/message.ts';
import type {Prompt} from '../../../chat/prompt.ts';
import type {ExitCode} from '../../../errors.ts';
import {toJsonLine} from '../../../json.ts';
import {printExact, printInfo, printText} from '../../../output/print.ts';
import {findSession} from '../../../sessions/find-session.ts';
import {type StoredSession, withUnanswered} from '../../../sessions/read-session.ts';
import {plural} from '../../../wording.ts';
import {readStored} from '../../run/saving/resume-session.ts';
import type {VerbRun} from './session-verb.ts';
import {isoTime} from './summary-json.ts';

export async function showSession({
	words,
	flags: {allBranches},
	directory,
	settings,
	environment,
}: VerbRun): Promise<ExitCode> {
	const session = readStored(findSession(directory, words[0] ?? ''), directory);
	const {draft, id, notices} = session;
	const conversation = withUnanswered(session);
	for (const {message} of notices) printInfo(message, environment);
	const {system, turns, otherTurns} = conversation;
	if (otherTurns.length > 0 && !allBranches) {
		const count = plural(otherTurns.length, 'turn');
		printInfo(`${id} has ${count} on other branches; --all-branches shows them`, environment);
	}
	if (settings.output !== 'text') {
		return await printText(
			toJsonLine(sessionToJson({...session, conversation}, allBranches)),
			environment,
		);
	}
	const sections = [
		...(system === '' ? [] : [`## System\n\n${system}`]),
		...turns.flatMap(writeTurn),
		...(draft === undefined ? [] : [`## User\n\n${promptText(draft)}`]),
		...(allBranches ? otherBranches(conversation).flatMap(writeBranch) : []),
	];
	return await printExact(sections.join('\n\n'), environment);
}

type Branch = {
	/** How many turns come before those that no other branch has. */
	readonly start: number;
	readonly turns: readonly Turn[];
};

/** Returns the turns after those of the head and of earlier branches. */
function otherBranches(conversation: Conversation): readonly Branch[] {
	const shown = new Set(conversation.turns);
	return branchEnds(conversation).flatMap(({id}) => {
		const path = applyChange(conversation, {type: 'head-moved', at: id}).turns;
		const turns = path.filter((turn) => !shown.has(turn));
		for (const turn of turns) shown.add(turn);
		return turns.length === 0 ? [] : [{start: path.length - turns.length, turns}];
	});
}

function writeBranch({start, turns}: Branch, index: number): readonly string[] {
	const place = start === 0 ? 'from the start' : `after turn ${start}`;
	return [`# Branch ${index + 2}, ${place}`, ...turns.flatMap(writeTurn)];
}

function writeTurn(turn: Turn): readonly string[] {
	const prompt = `## User\n\n${promptText(turn.prompt)}`;
	return turn.messages.length === 0 ? [prompt] : [prompt, `## Assistant\n\n${answerText(turn)}`];
}

function sessionToJson(
	{id, title, created, updated, settings, cwd, conversation, draft}: StoredSession,
	hasAllBranches: boolean,
) {
	const {system, turns, otherTurns} = conversation;
	const others = otherTurns.map(({turn, parent}) => ({...turnToJson(turn), parent}));
	return {
		...{id, title, created: isoTime(created), updated: isoTime(updated)},
		...{model: settings?.model ?? null, cwd, system},
		turns: turns.map(turnToJson),
		unanswered: draft?.text ?? null,
		...(hasAllBranches ? {other_turns: others} : {}),
	};
}

function turnToJson(turn: Turn) {
	return {
		id: turn.id,
		at: isoTime(turn.times.startedAt),
		model: turn.model,
		prompt: turn.prompt.text,
		attachments: turn.prompt.attachments.map(({name}) => name),
		answer: answerText(turn),
		status: turn.status,
	};
}

function promptText({text, attachments}: Prompt): string {
	return [...attachments.map(({name}) => `[${name}]`), text].join('\n');
}

function answerText({messages}: Turn): string {
	return messages
		.flatMap((message) => (message.role === 'assistant' ? [messageText(message)] : []))
		.filter((text) => text !== '')
		.join('\n\n');
}
