/**
 * A question as lines: everything an agreement covers, then its fields and numbered choices. A
 * whole line answers, but only if typed after the question.
 */
import {type Field, linesOfText, textOfField} from '../../repl/question/field.ts';
import {linesOfValues, openField, type Question} from '../../repl/question/question.ts';
import {choiceOfEscape, spokenChoices} from '../../repl/question/reduce-question.ts';
import {escapeInvisible, type SafeText, safe} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';
import {speakLine, speakLines} from './speak-entry.ts';

/** Tells that an answer was typed before the question could be read. */
export const earlyLine = safe`Note: that came before the question could be answered`;

/** Returns the text before the cursor. */
export function promptOfQuestion(question: Question): SafeText {
	const field = openField(question);
	if (field === undefined || field.choices.length > 0) return safe`Number: `;
	return field.settle === undefined ? safe`Value: ` : safe`${speakLine(field.title)}: `;
}

export function speakQuestion(question: Question): readonly SafeText[] {
	const {title, printedTitle, about, host, lines, fields, open, problem} = question;
	const asked =
		open === undefined ? lowerFirst(title) : `${printedTitle} ${plural(fields.length, 'field')}.`;
	return [
		...(problem === undefined ? [] : [speakProblem(problem)]),
		speakLine(`Question: ${asked}`),
		...(host === '' ? [] : [safe`Its host is:`, escapeInvisible(host)]),
		...(about === '' ? [] : [speakLine(`tool: ${about}`)]),
		...speakLines(lines),
		...(open === undefined ? [] : [speakLine(`Note: ${formWords}`)]),
		...speakOpen(question),
	];
}

/** Replies to a line: why it is not an answer, or what is asked next. */
export function speakStep(question: Question): readonly SafeText[] {
	if (question.problem === undefined) return speakOpen(question);
	const said = speakProblem(question.problem);
	// A number alone says nothing without the choices.
	return openField(question) === undefined ? [said, speakLine(speakChoices(question))] : [said];
}

function speakProblem(problem: string): SafeText {
	return speakLine(`Error: ${lowerFirst(problem)}`);
}

function lowerFirst(text: string): string {
	return text.slice(0, 1).toLowerCase() + text.slice(1);
}

const formWords = '/decline refuses all of it, /back goes back, /skip leaves a field out.';

/** Tells what is open: a field, or everything about to be sent and the choices. */
function speakOpen(question: Question): readonly SafeText[] {
	const {fields, open = 0} = question;
	const field = openField(question);
	if (field?.settle !== undefined) return speakAlone(field);
	if (field !== undefined) return speakField(field, `Field ${open + 1} of ${fields.length}`);
	const values = linesOfValues(fields);
	return [
		...(values.length === 0 ? [] : [safe`All that is sent:`, ...speakLines(values)]),
		speakLine(speakChoices(question)),
	];
}

function speakChoices(question: Question): string {
	const choices = spokenChoices(question);
	const names = choices.map(({spoken, meaning}, at) => `${at + 1} ${spoken ?? meaning}`).join(', ');
	const refusal = choiceOfEscape(question);
	return refusal?.isFirst ? `${names}. An empty line ${refusal.effect}.` : `${names}.`;
}

/** Asks for a text answer standing alone, instead of a choice. */
function speakAlone(field: Field): readonly SafeText[] {
	const text = textOfField(field);
	const now = text === '' ? [] : [speakLine(`The ${field.name} now: ${text}`)];
	const back = field.isRequired ? ' An empty line goes back.' : '';
	return [...now, speakLine(`Note: write the ${field.name} in one line.${back}`)];
}

function speakField(field: Field, place: string): readonly SafeText[] {
	const {title, description = '', isRequired, rules, choices, isMultiple} = field;
	const limits = [isRequired ? 'required' : 'may be left empty', ...rules];
	const kept = textOfField(field);
	const empty = isRequired ? [] : ['leaves it out.'];
	const effect = kept === '' ? empty : [`keeps this: ${kept}`];
	return [
		speakLine(`${place}: ${escapeInvisible(title)}, ${limits.join(', ')}.`),
		...speakLines(linesOfText('about', description)),
		...choices.map((choice, row) => speakLine(`${row + 1}. ${escapeInvisible(choice.title)}`)),
		...(isMultiple ? [safe`Note: separate several numbers with spaces.`] : []),
		...effect.map((text) => speakLine(`Note: an empty line ${text}`)),
	];
}
