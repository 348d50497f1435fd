/** The dialog that asks whether a call may run, as a value. */
import type {ApprovalRequest} from '../../chat/tool.ts';
import {emptyBuffer} from '../editor/buffer.ts';
import {type TextField, textField} from '../editor/change-editor.ts';
import {type Choice, type Choosing, notChosen} from './choices.ts';
import type {DialogContent} from './layout.ts';

export type ApprovalDialog = Choosing & {
	readonly type: 'approval';
	readonly request: ApprovalRequest;
	/** A line about the tool; empty without one, or if the lines of the call say it. */
	readonly about: string;
	/** Whether all of it was printed. */
	readonly isViewed: boolean;
	/** `edit`: the user changes the arguments; `reason`: the user writes a reason for the denial. */
	readonly mode: 'ask' | 'edit' | 'reason';
	/** The text of those modes. */
	readonly field: TextField;
	/** Why the last answer was not accepted. */
	readonly problem: string | undefined;
};

export function createApproval(request: ApprovalRequest): ApprovalDialog {
	return {
		type: 'approval',
		request,
		about: describeTool(request),
		...notChosen,
		isViewed: false,
		mode: 'ask',
		field: textField(emptyBuffer),
		problem: request.problem,
	};
}

/** No choice beside "no" runs anything: an arrow may be meant for the history. */
export const approvalChoices = [
	{key: 'y', brief: 'once', meaning: 'run it once', isAgreement: true},
	{
		key: 's',
		brief: 'session',
		meaning: 'run it, and do not ask about this tool again until you exit',
		isAgreement: true,
	},
	{key: 'e', brief: 'edit', meaning: 'edit the arguments first'},
	{key: 'v', brief: 'all', meaning: 'show all of it'},
	{key: 'n', brief: 'no', meaning: 'no', chords: ['escape'], isFirst: true},
	{key: 'd', brief: 'reason', meaning: 'no, with a reason for the model'},
] as const satisfies readonly Choice[];

function describeTool({tool, lines}: ApprovalRequest): string {
	if (lines.some(({label}) => label === 'says')) return '';
	return tool.definition.description?.trim().split('\n')[0] ?? '';
}

export function contentOfApproval({request, about, problem}: ApprovalDialog): DialogContent {
	return {
		lines: request.lines,
		headRows: (isFramed) =>
			1 + (problem === undefined ? 0 : 1) + (isFramed && about !== '' ? 1 : 0),
		choiceRows: approvalChoices.length,
	};
}
