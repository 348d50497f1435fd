/**
 * Puts values into a template. Only names that are declared are replaced, in one pass: nothing in a
 * value is a variable.
 */
import {joinPieces} from '../chat/prompt.ts';
import type {Template, TemplateInput} from './template.ts';

/** A sum of money, such as $100 or $2.50, is not an argument. */
const pattern = /\$(?:\$|[1-9](?!\d|[.,]\d)|[A-Za-z_]\w*)/g;

type Variable =
	| {readonly type: 'dollar'}
	| {readonly type: 'arguments'}
	| {readonly type: 'input'}
	/** Counted from 1. */
	| {readonly type: 'argument'; readonly place: number}
	| {readonly type: 'param'; readonly name: string};

/** A value other than a parameter that a prompt needs. */
export type MissingInput = Exclude<Variable, {type: 'dollar' | 'param'}>;

type Declared = Pick<Template, 'params'>;

/** Returns undefined for text that only looks like a variable. */
function readVariable(text: string, {params}: Declared): Variable | undefined {
	const name = text.slice(1);
	if (name === '$') return {type: 'dollar'};
	if (/\d/.test(name[0] ?? '')) return {type: 'argument', place: Number(name)};
	if (name === 'ARGUMENTS') return {type: 'arguments'};
	if (name === 'INPUT') return {type: 'input'};
	return Object.hasOwn(params, name) ? {type: 'param', name} : undefined;
}

function variablesOf(text: string, declared: Declared): readonly Variable[] {
	return (text.match(pattern) ?? []).flatMap((found) => readVariable(found, declared) ?? []);
}

function hasArguments(variables: readonly Variable[]): boolean {
	return variables.some(({type}) => type === 'arguments' || type === 'argument');
}

function hasInput(variables: readonly Variable[]): boolean {
	return variables.some(({type}) => type === 'input');
}

/** Whether a text has a place for arguments or piped text, so that it is a prompt. */
export function isPromptText(text: string): boolean {
	// $5 alone is a sum of money.
	const isPlace = (variable: Variable) => variable.type !== 'argument' || variable.place === 1;
	const variables = variablesOf(text, {params: {}}).filter(isPlace);
	return hasArguments(variables) || hasInput(variables);
}

/** Returns the words of a text that look like parameters, and are not declared: `$lang`, not `$PATH`. */
export function findUndeclared(text: string, declared: Declared): readonly string[] {
	const names = (text.match(pattern) ?? [])
		.filter((found) => /^\$[a-z]/.test(found) && readVariable(found, declared) === undefined)
		.map((found) => found.slice(1));
	return [...new Set(names)];
}

/** Whether a template is a prompt, and not only a role and settings for one. */
export function isPrompt({kind, body}: Template): boolean {
	return kind !== 'system' && body !== '';
}

/** Whether a prompt is only complete with a text that is typed or piped in. */
export function needsInput(template: Template): boolean {
	return !isPrompt(template) || inputsOf(template).some(({type}) => type === 'input');
}

/** Returns the places of a prompt for what is typed or piped in. A skill alone asks for nothing. */
function inputsOf({kind, body, params}: Template): readonly MissingInput[] {
	const used = variablesOf(body, {params}).filter(
		(variable) => variable.type !== 'dollar' && variable.type !== 'param',
	);
	return kind === 'skill' && used.length === 0 ? [{type: 'input'}] : used;
}

/**
 * Returns the parameters without a value that a template uses, in their order.
 *
 * @param system the system message in its front matter, which may use them too
 */
export function missingParams(
	template: Template,
	system: string,
	given: TemplateInput['params'],
): readonly string[] {
	const used = variablesOf(`${system}\n${template.body}`, template).flatMap((variable) =>
		variable.type === 'param' ? variable.name : [],
	);
	const isMissing = (name: string) => !Object.hasOwn(given, name) && template.params[name] === null;
	return [...new Set(used)].filter(isMissing);
}

/**
 * Returns a value that the prompt lacks. The hint may have an argument in square brackets, which means
 * that it can be left out; `$ARGUMENTS` must be given only if the hint has it in angle brackets.
 *
 * @param hasFiles whether files go with the prompt, which may be its input
 */
export function findMissingInput(
	template: Template,
	{text, words, piped}: Omit<TemplateInput, 'params'>,
	hasFiles: boolean,
): MissingInput | undefined {
	if (template.kind === 'system') return undefined;
	const hints = template.argumentHint.match(/\[[^\]]*\]|<[^>]*>|\S+/g) ?? [];
	const isEmpty = text.trim() === '';
	const isMissing = (variable: MissingInput): boolean => {
		switch (variable.type) {
			case 'argument':
				return (
					words[variable.place - 1] === undefined && !hints[variable.place - 1]?.startsWith('[')
				);
			case 'arguments':
				return isEmpty && hints[0]?.startsWith('<') === true;
			case 'input':
				return isEmpty && piped === '' && !hasFiles;
			default:
				return variable satisfies never;
		}
	};
	return inputsOf(template).find(isMissing);
}

/** Returns a text with the values of the parameters, such as a system message. */
export function expandParams(
	text: string,
	template: Template,
	given: TemplateInput['params'],
): string {
	return expand(text, template, {text: '', words: [], piped: '', params: given});
}

function expand(text: string, template: Template, input: TemplateInput): string {
	return text.replace(pattern, (found) => {
		const variable = readVariable(found, template);
		switch (variable?.type) {
			case undefined:
				return found;
			case 'dollar':
				return '$';
			case 'arguments':
				return input.text;
			case 'input':
				return input.piped;
			case 'argument':
				return input.words[variable.place - 1] ?? '';
			case 'param': {
				const {name} = variable;
				const isGiven = Object.hasOwn(input.params, name);
				return (isGiven ? input.params[name] : template.params[name]) ?? '';
			}
			default:
				return variable satisfies never;
		}
	});
}

/**
 * Returns the prompt. Piped text and arguments that the template has no place for follow it, the
 * arguments last. A missing value is empty.
 */
export function expandTemplate(template: Template, input: TemplateInput): string {
	const {kind, body, opening, params} = template;
	const {piped} = input;
	if (kind === 'system') {
		const prompt = joinPieces([piped, input.text]);
		return prompt === '' ? '' : joinPieces([opening, prompt]);
	}
	const used = variablesOf(body, {params});
	const expanded = expand(body, template, input).trim();
	return joinPieces([
		kind === 'skill' ? wrapSkill(expanded, template) : expanded,
		hasInput(used) ? '' : piped,
		findUnplaced(used, input),
	]);
}

/** Returns the arguments that a prompt with these variables has no place for. */
function findUnplaced(used: readonly Variable[], {text, words}: TemplateInput): string {
	if (!hasArguments(used)) return text;
	if (used.some(({type}) => type === 'arguments')) return '';
	const places = used.flatMap((variable) => (variable.type === 'argument' ? variable.place : []));
	return words.filter((_, index) => !places.includes(index + 1)).join(' ');
}

/** Other files of a skill are named, so that the user can attach what the text refers to. */
function wrapSkill(text: string, {name, companions}: Template): string {
	const files =
		companions.length === 0 ? '' : `\n\nOther files of this skill: ${companions.join(', ')}`;
	return `<skill name="${name}">\n${text}${files}\n</skill>`;
}
