/** Renders what a server gets, or the page that it asks to open, besides the lines. */
import {type ElicitationDialog, openField} from '../../repl/dialog/elicitation.ts';
import {stripUnsafe} from '../../terminal/safe-text.ts';
import {wrapCells} from '../../terminal/wrap-line.ts';
import type {DialogPlace, DialogTexts, Rows} from './frame-input.ts';
import {fitLine} from './wrap-text.ts';

export function elicitationTexts(
	{request, problem, fields}: ElicitationDialog,
	{isFramed, width, style}: DialogPlace,
): DialogTexts {
	const {server} = request;
	const titleOf = (text: string) => style(fitLine(text, width), 'yellow', 'bold');
	const refusal = problem === undefined ? [] : [style(fitLine(problem, width), 'red')];
	if (request.type === 'form') {
		const back = fields.length === 0 ? [] : [['b', 'go back and change it'] as const];
		return {
			head: [titleOf(`Send this to server ${server}?`), ...refusal],
			choices: [['y', 'send it'], ...back, ['n', 'decline']],
			view: 'show all of it, before y',
		};
	}
	const gap: Rows = isFramed ? [stripUnsafe('')] : [];
	const {host} = request.url;
	const large = wrapCells(host, width).map(({start, end}) =>
		style(stripUnsafe(host.slice(start, end)), 'cyan', 'bold'),
	);
	return {
		head: [titleOf(`Open a page for server ${server}?`), ...refusal, ...gap, ...large, ...gap],
		choices: [
			['o', 'open it in your browser'],
			['n', 'decline'],
		],
		view: 'show all of it, before o',
	};
}

type Hints = {readonly framed: string; readonly others: readonly string[]};

const hintsOf: Readonly<Record<ElicitationDialog['request']['type'], Hints>> = {
	form: {
		framed: 'y sends it',
		others: ['y send it · b go back · n decline', 'y send · b back · n no', 'y b n'],
	},
	url: {framed: 'o opens it', others: ['o open it · n decline', 'o n']},
};

/** From long to short. */
export function elicitationHints(
	dialog: ElicitationDialog,
	canAgree: boolean,
	isFramed: boolean,
): readonly string[] {
	const {request, isArmed, isBegun, isOpening, index} = dialog;
	if (isOpening) return ['opening the page…'];
	const open = openField(dialog);
	if (open === undefined && isArmed) {
		const {framed, others} = hintsOf[request.type];
		if (isFramed) return [`${canAgree ? framed : 'v shows all of it'} · Esc declines`];
		return others.map((text) => (canAgree ? `${text} · v all` : `v all, then ${text}`));
	}
	if (open === undefined || !isBegun) {
		return ['a server asks; you can answer in a moment', 'in a moment…'];
	}
	const {choices, isMultiple} = open.kind;
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
