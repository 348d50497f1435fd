/** The open dialog: a question about a call, or one of a server. */
import type {EditorBuffer} from '../editor/buffer.ts';
import type {Size} from '../geometry.ts';
import {type ApprovalDialog, contentOfApproval} from './approval.ts';
import {contentOfElicitation, type ElicitationDialog, openField} from './elicitation.ts';
import {type DialogContent, isWhole} from './layout.ts';

export type Dialog = ApprovalDialog | ElicitationDialog;

export function contentOf(dialog: Dialog): DialogContent {
	return dialog.type === 'approval' ? contentOfApproval(dialog) : contentOfElicitation(dialog);
}

/** Whether the user may agree: only after all of it was shown. */
export function canAgree(dialog: Dialog, size: Size): boolean {
	return dialog.isViewed || isWhole(contentOf(dialog), size);
}

/** Returns the text that is being written in the dialog. */
export function bufferOf(dialog: Dialog): EditorBuffer | undefined {
	if (dialog.type === 'approval') return dialog.mode === 'ask' ? undefined : dialog.field.buffer;
	return dialog.isBegun ? openField(dialog)?.text.buffer : undefined;
}
