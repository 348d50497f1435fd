/** `chat templates show` and `path`: the file of a template, and where it is. */
import {readFileSync} from 'node:fs';
import type {ExitCode} from '../../../errors.ts';
import {printExact} from '../../../output/print.ts';
import {requirePath} from '../../../settings/files/config-path.ts';
import {findTemplate} from '../../../templates/find-templates.ts';
import {readTemplate} from '../../../templates/read-template.ts';
import type {TemplateRun} from './template-verb.ts';

export async function showTemplate({words, places, environment}: TemplateRun): Promise<ExitCode> {
	const {path} = await readTemplate(findTemplate(words[0] ?? '', places));
	return await printExact(readFileSync(path, 'utf8').replace(/\n$/, ''), environment);
}

export async function printPath({words, places, environment}: TemplateRun): Promise<ExitCode> {
	const [name] = words;
	const path = name === undefined ? requirePath(places.own) : findTemplate(name, places).path;
	return await printExact(path, environment);
}
