/** `chat templates check`: reports the mistakes in templates. */
import {type ChatError, type ExitCode, exitCodeOf} from '../../errors.ts';
import {printInfo, printText} from '../../output/print.ts';
import {findTemplate, findTemplates} from '../../templates/find-templates.ts';
import {readTemplates} from '../../templates/read-template.ts';
import {plural} from '../../wording.ts';
import type {TemplateRun} from './template-verb.ts';

export async function checkTemplates({words, places, environment}: TemplateRun): Promise<ExitCode> {
	const found =
		words.length === 0 ? findTemplates(places) : words.map((word) => findTemplate(word, places));
	let failure: ChatError | undefined;
	for (const reading of await readTemplates(found)) {
		const problems = 'problem' in reading ? [reading.problem] : [];
		for (const problem of problems) printInfo(problem.message, environment);
		failure ??= problems[0];
	}
	if (failure !== undefined) return exitCodeOf(failure);
	return await printText(`${plural(found.length, 'template')} checked, no mistakes\n`, environment);
}
