/** `chat templates trust`: agrees to templates as they are now. */
import {resolve} from 'node:path';
import type {ExitCode} from '../../../errors.ts';
import {trustFiles} from '../../../files/trust.ts';
import {printInfo, printText} from '../../../output/print.ts';
import {requirePath, trustedTemplatesPath} from '../../../settings/files/config-path.ts';
import {findInWork, findTemplate} from '../../../templates/find-templates.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import type {TemplateRun} from './template-verb.ts';

/** Those of a folder that people work in, or a single one, which may then name files anywhere. */
export async function trustTemplates({
	words: [word = '.'],
	places,
	environment,
}: TemplateRun): Promise<ExitCode> {
	const ofFolder = findInWork(resolve(environment.cwd, word));
	const found = ofFolder.length > 0 ? ofFolder : [findTemplate(word, places)];
	const paths = found.map(({path}) => path);
	await trustFiles(requirePath(trustedTemplatesPath(environment)), paths, environment.createId());
	const lines = found.map(({name, path}) => `${name}  ${stripToLine(path)}\n`);
	printInfo('trusted until their files change:', environment);
	return await printText(lines.join(''), environment);
}
