/** Asks for values and permissions a template lacks. */
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {findMissingInput, missingParams} from '../../../templates/expand-template.ts';
import type {Template, TemplateInput} from '../../../templates/template.ts';
import {quoteWord, shorten} from '../../../wording.ts';
import {ask, type Dialog} from '../../ask.ts';
import {splitArguments} from '../shell-words.ts';
import type {NamedFile} from './named-files.ts';
import {checkParams, missingInput, shellForm} from './template-params.ts';

export type Filled = {
	/** Excludes the piped text. */
	readonly input: Omit<TemplateInput, 'piped'>;
	/** The readable files. */
	readonly files: readonly NamedFile[];
};

type Given = Filled & {
	/** The system message in the front matter. */
	readonly system: string;
	/** Whether the user has chosen plain lines. */
	readonly isPlain: boolean;
};

/**
 * @throws {ChatError} `usage` for what is missing if there is no terminal to ask on, or the answer is no
 */
export async function fillIn(
	template: Template,
	{system, ...given}: Given,
	environment: Environment,
): Promise<Filled> {
	const missing = missingParams(template, system, given.input.params);
	const argument = findMissingArgument(template, given.input);
	const outside = given.files.filter(({isInside}) => !isInside);
	if (missing.length === 0 && argument === undefined && outside.length === 0) return given;
	const {name, argumentHint} = template;
	const askForMissing = async ({text: askText, confirm}: Dialog): Promise<Filled> => {
		const params: Record<string, string> = {...given.input.params};
		for (const param of missing) params[param] = await askText(param);
		const hint = shorten(argumentHint, 60) || 'arguments';
		const text = argument === undefined ? undefined : await askText(hint);
		const refused = new Set<NamedFile>();
		for (const file of outside) {
			const question = `The template ${name} names ${file.path}, outside of its folder. Use it?`;
			if (!(await confirm(question))) refused.add(file);
		}
		const words =
			text === undefined ? given.input.words : splitArguments(text, environment.platform);
		return {
			input: {text: text ?? given.input.text, words, params},
			files: given.files.filter((file) => !refused.has(file)),
		};
	};
	const unasked = {...given, files: given.files.filter(({isInside}) => isInside)};
	const policy = {isPlain: given.isPlain, result: unasked};
	const filled = await ask<Filled>(policy, environment, askForMissing);
	checkParams(template, system, filled.input.params, shellForm);
	const lacking = findMissingArgument(template, filled.input);
	if (lacking !== undefined) throw missingInput(template, lacking, shellForm);
	const refused = outside.find((file) => file.isNeeded && !filled.files.includes(file));
	if (refused !== undefined) throw outsideError(refused, template);
	return filled;
}

/** The piped text is not known yet. */
function findMissingArgument(template: Template, input: Omit<TemplateInput, 'piped'>) {
	const missing = findMissingInput(template, {...input, piped: ''}, false);
	return missing?.type === 'input' ? undefined : missing;
}

/** Returns the error for a file the template may not read. */
export function outsideError({path: named}: NamedFile, {name, path}: Template): ChatError {
	const problem = `the template ${name} names ${named}, which is outside of its folder`;
	const words = `To allow it: chat templates trust ${quoteWord(path)}`;
	return new ChatError('usage', problem, {hint: words});
}
