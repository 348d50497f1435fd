/**
 * Asks whether a call may run: everything that would run, then numbered choices. A whole line answers,
 * and only if it was typed after the choices; an empty one denies.
 */
import type {Approval} from '../../chat/tool.ts';
import {parseJsonObject} from '../../json.ts';
import type {ApprovalDialog} from '../../repl/dialog/approval.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';
import {speakEntry, speakLine} from './speak-entry.ts';

type Mode = 'ask' | 'reason' | 'edit';

export interface Question {
	/** Returns the call of a new dialog, for the terminal. */
	open(dialog: ApprovalDialog): readonly SafeText[];
	/** Returns the text before the cursor. */
	prompt(): SafeText;
	/** Returns what a line answers, or what to say before the next line. */
	answer(line: string): Answer;
}

type Answer = Approval | {readonly type: 'again'; readonly lines: readonly SafeText[]};

/** Says that an answer was typed before the question could be read. */
export const earlyLine = safe`Note: that came before the question could be answered`;

const choices =
	'1 run once, 2 run for this session, 3 no, 4 no with a reason, 5 edit the arguments. An empty line means no.';

const prompts: Readonly<Record<Mode, SafeText>> = {
	ask: safe`Number: `,
	reason: safe`Reason: `,
	edit: safe`Arguments: `,
};

const again = (...lines: readonly string[]) =>
	({type: 'again', lines: lines.map((line) => speakLine(line))}) as const;

export function createQuestion(): Question {
	let mode: Mode = 'ask';
	let current = '{}';
	const deny: Approval = {type: 'deny'};
	const change = (next: Mode, ...lines: readonly string[]) => {
		mode = next;
		return again(...lines);
	};
	const answers: Readonly<Record<string, () => Answer>> = {
		'': () => deny,
		1: () => ({type: 'run', decision: 'once'}),
		2: () => ({type: 'run', decision: 'session'}),
		3: () => deny,
		4: () => change('reason', 'Note: write the reason in one line, for the model.'),
		5: () =>
			change(
				'edit',
				`The arguments now: ${current}`,
				'Note: write the new arguments in one line. An empty line goes back.',
			),
	};
	const readers: Readonly<Record<Mode, (text: string) => Answer>> = {
		ask(text) {
			const answered = Object.hasOwn(answers, text) ? answers[text]?.() : undefined;
			return answered ?? again('Error: the answer is a number from 1 to 5.', choices);
		},
		reason: (text) => (text === '' ? deny : {type: 'deny', reason: text}),
		edit(text) {
			if (text === '') return change('ask', choices);
			if (parseJsonObject(text) !== undefined) return {type: 'edit', arguments: text};
			return again('Error: that is not a JSON object.');
		},
	};
	return {
		open({request, about, problem}) {
			mode = 'ask';
			current = JSON.stringify(parseJsonObject(request.call.arguments) ?? {});
			const {name} = request.tool.definition;
			const {number, of} = request.place;
			return [
				...(problem === undefined ? [] : [speakLine(`Error: ${problem}`)]),
				speakLine(`Question${of === 1 ? '' : ` ${number} of ${of}`}: run ${name}?`),
				...(about === '' ? [] : [speakLine(`tool: ${about}`)]),
				...speakEntry({type: 'approval', request}, {redact: (text) => text}),
				speakLine(choices),
			];
		},
		prompt: () => prompts[mode],
		answer: (line) => readers[mode](line.trim()),
	};
}
