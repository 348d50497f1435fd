/** The question whether a call may run. */
import type {Approval, ApprovalRequest} from '../../chat/tool.ts';
import {type JsonValue, parseJsonObject} from '../../json.ts';
import {nameTool} from '../../wording.ts';
import {createField, type Field} from './field.ts';
import {type Choice, createQuestion, type Question, viewChoice} from './question.ts';

export function createApproval(request: ApprovalRequest): Question<Approval> {
	const {tool, place, lines, problem} = request;
	const {name} = tool.definition;
	const count = place.of === 1 ? '' : ` (${place.number} of ${place.of})`;
	return createQuestion<Approval>({
		request,
		asker: 'a tool wants to run',
		title: `Run ${nameTool(name)}?${count}`,
		printedTitle: `${nameTool(name)}:`,
		about: describeTool(request),
		lines,
		choices: approvalChoices,
		fields: [reasonField, argumentsField(request.call.arguments)],
		problem,
	});
}

const run = (decision: 'once' | 'session') => ({
	settle: () => ({answer: {type: 'run', decision} as const}),
});

/** No choice beside "no" runs anything: an arrow may be meant for the history. */
const approvalChoices: ReadonlyArray<Choice<Approval>> = [
	{
		key: 'y',
		brief: 'once',
		meaning: 'run it once',
		effect: 'runs it once',
		isAgreement: true,
		does: run('once'),
	},
	{
		key: 's',
		brief: 'session',
		meaning: 'run it, and do not ask about this tool again until you exit',
		spoken: 'run for this session',
		isAgreement: true,
		does: run('session'),
	},
	{
		key: 'e',
		brief: 'edit',
		meaning: 'edit the arguments first',
		spoken: 'edit the arguments',
		does: {write: 1},
	},
	viewChoice,
	{
		key: 'n',
		brief: 'no',
		meaning: 'no',
		effect: 'says no',
		chords: ['escape'],
		isFirst: true,
		does: {settle: () => ({answer: {type: 'deny'}})},
	},
	{
		key: 'd',
		brief: 'reason',
		meaning: 'no, with a reason for the model',
		spoken: 'no with a reason',
		does: {write: 0},
	},
];

function argumentsField(text: string): Field<Approval> {
	const field = {
		name: 'arguments',
		title: 'Arguments',
		isRequired: true,
		check: (typed: JsonValue) =>
			parseJsonObject(String(typed)) === undefined ? 'That is not a JSON object.' : undefined,
		settle: (typed: string) => ({answer: {type: 'edit', arguments: typed}}) as const,
		hints: ['Enter uses these arguments · Esc goes back', 'Enter uses them · Esc'],
	};
	return createField<Approval>(field, JSON.stringify(parseJsonObject(text) ?? {}));
}

const reasonField = createField<Approval>({
	name: 'reason',
	title: 'Reason',
	isRequired: false,
	settle: (text) => ({answer: {type: 'deny', ...(text === '' ? {} : {reason: text})}}),
	hints: ['Enter denies, with this reason for the model · Esc goes back', 'Enter denies · Esc'],
});

/** Returns a line about the tool; empty if there is none, or the call's lines say it. */
function describeTool({tool, lines}: ApprovalRequest): string {
	if (lines.some(({label}) => label === 'says')) return '';
	return tool.definition.description?.trim().split('\n')[0] ?? '';
}
