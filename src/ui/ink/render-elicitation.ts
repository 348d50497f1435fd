/** Renders what a server gets, or the page that it asks to open, besides the lines. */
import {
	type ElicitationDialog,
	openField,
	type QuestionType,
	questionTypeOf,
} from '../../repl/dialog/elicitation.ts';
import {stripUnsafe} from '../../terminal/safe-text.ts';
import {wrapCells} from '../../terminal/wrap-line.ts';
import type {DialogPlace, DialogTexts, Rows} from './frame-input.ts';
import {fitLine} from './wrap-text.ts';

type Texts = Pick<DialogTexts, 'choices' | 'view'> & {readonly title: string};

const textsOf: Readonly<Record<QuestionType, Texts>> = {
	form: {
		title: 'Send this to',
		choices: [
			['y', 'send it'],
			['b', 'go back and change it'],
			['n', 'decline'],
		],
		view: 'show all of it, before y',
	},
	confirmation: {
		title: 'Confirm this for',
		choices: [
			['y', 'confirm it'],
			['n', 'decline'],
		],
		view: 'show all of it, before y',
	},
	url: {
		title: 'Open a page for',
		choices: [
			['o', 'open it in your browser'],
			['n', 'decline'],
		],
		view: 'show all of it, before o',
	},
};

export function elicitationTexts(
	dialog: ElicitationDialog,
	{isFramed, width, style}: DialogPlace,
): DialogTexts {
	const {request, problem} = dialog;
	const {title, ...texts} = textsOf[questionTypeOf(dialog)];
	const asked = fitLine(`${title} server ${request.server}?`, width);
	const refusal = problem === undefined ? [] : [style(fitLine(problem, width), 'red')];
	const head = [style(asked, 'yellow', 'bold'), ...refusal];
	if (request.type === 'form') return {head, ...texts};
	const gap: Rows = isFramed ? [stripUnsafe('')] : [];
	const {host} = request.url;
	const large = wrapCells(host, width).map(({start, end}) =>
		style(stripUnsafe(host.slice(start, end)), 'cyan', 'bold'),
	);
	return {head: [...head, ...gap, ...large, ...gap], ...texts};
}

type Hints = {readonly framed: string; readonly others: readonly string[]};

const hintsOf: Readonly<Record<QuestionType, Hints>> = {
	form: {
		framed: 'y sends it',
		others: ['y send it · b go back · n decline', 'y send · b back · n no', 'y b n'],
	},
	confirmation: {framed: 'y confirms it', others: ['y confirm it · n decline', 'y n']},
	url: {framed: 'o opens it', others: ['o open it · n decline', 'o n']},
};

/** From long to short. */
export function elicitationHints(
	dialog: ElicitationDialog,
	canAgree: boolean,
	isFramed: boolean,
): readonly string[] {
	const {isArmed, isBegun, isOpening, index} = dialog;
	if (isOpening) return ['opening the page…'];
	const open = openField(dialog);
	if (open === undefined && isArmed) {
		const {framed, others} = hintsOf[questionTypeOf(dialog)];
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
