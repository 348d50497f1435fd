/**
 * Asks whether a call may run: everything that would run, then numbered choices. A whole line answers,
 * and only if it was typed after the choices; an empty one denies.
 */
import type {Approval} from '../../chat/tool.ts';
import {parseJsonObject} from '../../json.ts';
import type {ApprovalDialog} from '../../repl/question/approval.ts';
import {type SafeText, safe} from '../../terminal/safe-text.ts';
import type {Again, Question} from './question.ts';
import {speakLine, speakLines} from './speak-entry.ts';

type Mode = 'ask' | 'reason' | 'edit';

type Answer = Approval | Again;

const choices =
	'1 run once, 2 run for this session, 3 no, 4 no with a reason, 5 edit the arguments. An empty line means no.';

const prompts: Readonly<Record<Mode, SafeText>> = {
	ask: safe`Number: `,
	reason: safe`Reason: `,
	edit: safe`Arguments: `,
};

const again = (...lines: readonly string[]) =>
	({type: 'again', lines: lines.map((line) => speakLine(line))}) as const;

export function askForApproval({request, about, problem}: ApprovalDialog): Question {
	let mode: Mode = 'ask';
	const current = JSON.stringify(parseJsonObject(request.call.arguments) ?? {});
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
	const {name} = request.tool.definition;
	const {number, of} = request.place;
	return {
		lines: [
			...(problem === undefined ? [] : [speakLine(`Error: ${problem}`)]),
			speakLine(`Question${of === 1 ? '' : ` ${number} of ${of}`}: run ${name}?`),
			...(about === '' ? [] : [speakLine(`tool: ${about}`)]),
			...speakLines(request.lines),
			speakLine(choices),
		],
		prompt: () => prompts[mode],
		answer(line) {
			const answer = readers[mode](line.trim());
			return answer.type === 'again' ? answer : {type: 'approval-given', approval: answer};
		},
	};
}
