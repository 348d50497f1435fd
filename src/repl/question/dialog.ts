/** The open dialog: a question about a call, or one of a server. */
import type {EditorBuffer} from '../editor/buffer.ts';
import type {Size} from '../geometry.ts';
import {type ApprovalDialog, approvalChoices, contentOfApproval} from './approval.ts';
import type {Choice} from './choices.ts';
import {
	contentOfElicitation,
	type ElicitationDialog,
	elicitationChoices,
	openField,
	questionTypeOf,
} from './elicitation.ts';
import {type DialogContent, isWhole} from './layout.ts';

export type Dialog = ApprovalDialog | ElicitationDialog;

export function contentOf(dialog: Dialog): DialogContent {
	return dialog.type === 'approval' ? contentOfApproval(dialog) : contentOfElicitation(dialog);
}

/** Whether the user may agree: only after all of it was shown. */
export function canAgree(dialog: Dialog, size: Size): boolean {
	return dialog.isViewed || isWhole(contentOf(dialog), size);
}

/** Returns the choices of a dialog; none while a text is written in it. */
export function choicesOf(dialog: Dialog): readonly Choice[] {
	if (dialog.type === 'approval') return dialog.mode === 'ask' ? approvalChoices : [];
	return openField(dialog) === undefined ? elicitationChoices[questionTypeOf(dialog)] : [];
}

/** Returns the text that is being written in the dialog. */
export function bufferOf(dialog: Dialog): EditorBuffer | undefined {
	if (dialog.type === 'approval') return dialog.mode === 'ask' ? undefined : dialog.field.buffer;
	return dialog.isBegun ? openField(dialog)?.text.buffer : undefined;
}
