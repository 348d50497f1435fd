/** `chat templates check`: reports the mistakes in templates. */
import type {Environment} from '../../../environment.ts';
import {type ChatError, type ExitCode, exitCodeOf} from '../../../errors.ts';
import {printInfo, printText} from '../../../output/print.ts';
import {findIgnoredKeys} from '../../../settings/options/template-layer.ts';
import {findUndeclared} from '../../../templates/expand-template.ts';
import {findTemplate, findTemplates} from '../../../templates/find-templates.ts';
import {hasCommands} from '../../../templates/named-files.ts';
import {readTemplates} from '../../../templates/read-template.ts';
import type {Template} from '../../../templates/template.ts';
import {plural} from '../../../wording.ts';
import {findMistake, findNamedFiles} from '../../run/template/named-files.ts';
import type {TemplateRun} from './template-verb.ts';

export async function checkTemplates({words, places, environment}: TemplateRun): Promise<ExitCode> {
	const found =
		words.length === 0 ? findTemplates(places) : words.map((word) => findTemplate(word, places));
	let failure: ChatError | undefined;
	for (const reading of await readTemplates(found)) {
		const mistake = findMistake(reading, environment);
		if (mistake !== undefined) printInfo(mistake.message, environment);
		else if ('template' in reading) printRemarks(reading.template, environment);
		failure ??= mistake;
	}
	if (failure !== undefined) return exitCodeOf(failure);
	return await printText(`${plural(found.length, 'template')} checked, no mistakes\n`, environment);
}

/** Prints what is not a mistake, but may surprise. */
export function printRemarks(template: Template, environment: Environment): void {
	const {path, kind, body, values, isTextOnly} = template;
	const ignored = isTextOnly ? [] : findIgnoredKeys(values);
	const undeclared = kind === 'prompt' ? findUndeclared(body, template) : [];
	const outside = findNamedFiles(template, environment.cwd).filter(({isInside}) => !isInside);
	const remarks = [
		...(ignored.length > 0 ? [`without effect: ${ignored.join(', ')}`] : []),
		...(undeclared.length > 0 ? [describeUndeclared(undeclared)] : []),
		...outside.map((file) => `names ${file.path}, outside of its folder`),
		...(hasCommands(template) ? ['has a command to run, which stays text'] : []),
	];
	for (const remark of remarks) printInfo(`${path}: ${remark}`, environment);
}

function describeUndeclared(names: readonly string[]): string {
	const stay = names.length === 1 ? 'stays text; declare it' : 'stay text; declare them';
	return `${names.map((name) => `$${name}`).join(', ')} ${stay} in params: [${names.join(', ')}]`;
}
