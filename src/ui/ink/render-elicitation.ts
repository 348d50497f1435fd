/** Renders what a server gets, or the page that it asks to open, besides the lines and choices. */
import {
	type ElicitationDialog,
	type OpenField,
	type QuestionType,
	questionTypeOf,
} from '../../repl/question/elicitation.ts';
import {stripUnsafe} from '../../terminal/safe-text.ts';
import {wrapCells} from '../../terminal/wrap-line.ts';
import type {DialogPlace, Rows} from './frame-input.ts';
import {fitLine} from './wrap-text.ts';

const titles: Readonly<Record<QuestionType, string>> = {
	form: 'Send this to',
	confirmation: 'Confirm this for',
	url: 'Open a page for',
};

export function renderElicitationHead(
	dialog: ElicitationDialog,
	{isFramed, width, style}: DialogPlace,
): Rows {
	const {request, problem} = dialog;
	const asked = fitLine(`${titles[questionTypeOf(dialog)]} server ${request.server}?`, width);
	const refusal = problem === undefined ? [] : [style(fitLine(problem, width), 'error')];
	const head = [style(asked, 'bold'), ...refusal];
	if (request.type === 'form') return head;
	const gap: Rows = isFramed ? [stripUnsafe('')] : [];
	const {host} = request.url;
	const large = wrapCells(host, width).map(({start, end}) =>
		style(stripUnsafe(host.slice(start, end)), 'bold'),
	);
	return [...head, ...gap, ...large, ...gap];
}

/** Returns hints about the keys of a field, from long to short. */
export function fieldHints({index}: ElicitationDialog, {kind}: OpenField): readonly string[] {
	const {choices, isMultiple} = kind;
	const choose = isMultiple ? ['↑↓ and Space choose'] : ['↑↓ choose'];
	const back = index === 0 ? [] : ['Shift-Tab back'];
	const next = ['Enter goes on', ...(choices.length === 0 ? [] : choose)];
	return [
		[...next, ...back, 'Tab shows all', 'Esc declines'].join(' · '),
		[...next, 'Esc declines'].join(' · '),
		'Enter · Esc declines',
		'Enter · Esc',
	];
}
