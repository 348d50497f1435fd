/** A server's question during a call: a form, a confirmation without fields, or a page to open. */
import type {ElicitAnswer, Elicitation} from '../../chat/elicitation.ts';
import type {ApprovalLine} from '../../chat/tool.ts';
import type {JsonObject} from '../../json.ts';
import {plural, shorten} from '../../wording.ts';
import {createFormField, linesOfText} from './field.ts';
import {type Choice, createQuestion, type Question, viewChoice} from './question.ts';

type ElicitChoice = Choice<ElicitAnswer>;

export function createElicitation(request: Elicitation): Question<ElicitAnswer> {
	const {server} = request;
	const says = [...linesOfCalls(request), ...linesOfText('says', request.message)];
	const common = {
		request,
		asker: 'a server asks',
		printedTitle: `server ${server} asks:`,
		lines: says,
	};
	const refuse: ElicitChoice = {
		key: 'n',
		brief: 'decline',
		meaning: 'decline',
		effect: 'declines',
		chords: ['escape'],
		does: {
			settle: () => ({answer: {type: 'decline'}, said: `declined what ${server} asked for`}),
		},
	};
	if (request.type === 'url') {
		return createQuestion({
			...common,
			title: `Open a page for server ${server}?`,
			host: request.url.host,
			lines: [{label: 'address', text: request.url.href}, ...says],
			choices: [openChoice, view, {...refuse, isFirst: true}],
		});
	}
	const fields = request.fields.map(createFormField);
	if (fields.length === 0) {
		return createQuestion({
			...common,
			title: `Confirm this for server ${server}?`,
			choices: [confirmChoice(server), view, {...refuse, isFirst: true}],
		});
	}
	return createQuestion({
		...common,
		lines: [...says, typedNote],
		title: `Send this to server ${server}?`,
		fields,
		open: 0,
		// Enter loses no field: it goes back.
		choices: [sendChoice(server), view, backChoice, refuse],
	});
}

/** No word list finds all fields asking for a secret. */
const typedNote = {
	label: 'note',
	text: 'The server gets what you type: never a password.',
};

/** Maximum argument characters; the user saw them before the call. */
const maxArguments = 200;

function linesOfCalls({calls}: Elicitation): readonly ApprovalLine[] {
	const texts = calls.map(
		({name, values}) => `${name} ${shorten(JSON.stringify(values), maxArguments)}`,
	);
	const all = texts.length > 1 ? ['one of these calls:', ...texts] : texts;
	return all.map((text, index) => ({label: index === 0 ? 'during' : '', text}));
}

const view: ElicitChoice = {...viewChoice, chords: ['tab']};

const backChoice: ElicitChoice = {
	key: 'b',
	brief: 'back',
	meaning: 'go back and change it',
	spoken: 'go back',
	chords: ['shift+tab'],
	isFirst: true,
	does: 'back',
};

/** The page is opened before the answer is sent. */
const openChoice = acceptChoice({
	key: 'o',
	brief: 'open',
	meaning: 'open it in your browser',
	effect: 'opens it',
});

const confirmChoice = (server: string) =>
	acceptChoice(
		{key: 'y', brief: 'confirm', meaning: 'confirm it', effect: 'confirms it'},
		() => `confirmed what ${server} asked`,
	);

const sendChoice = (server: string) =>
	acceptChoice(
		{key: 'y', brief: 'send', meaning: 'send it', effect: 'sends it'},
		(count) => `answered ${server}: ${plural(count, 'field')}`,
	);

/** @param say returns the text printed instead of the question, for a field count */
function acceptChoice(
	parts: Pick<ElicitChoice, 'key' | 'brief' | 'meaning' | 'effect'>,
	say?: (count: number) => string,
): ElicitChoice {
	const settle = (values: JsonObject) => ({
		answer: {type: 'accept', values} as const,
		...(say && {said: say(Object.keys(values).length)}),
	});
	return {...parts, isAgreement: true, does: {settle}};
}
