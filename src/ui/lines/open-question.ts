import type {Dialog} from '../../repl/question/dialog.ts';
import {askForApproval} from './approval-lines.ts';
import {askForFields} from './elicitation-lines.ts';
import type {Question} from './question.ts';

/** Returns the question of a dialog as lines. */
export function openQuestion(dialog: Dialog): Question {
	return dialog.type === 'approval' ? askForApproval(dialog) : askForFields(dialog);
}
