/** `chat templates list`, `show`, `path` and `check`: what templates there are, and their mistakes. */
import {readFileSync} from 'node:fs';
import type {Environment} from '../../../environment.ts';
import {type ChatError, type ExitCode, exitCodeOf} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printExact, printInfo, printList, printText} from '../../../output/print.ts';
import {requirePath} from '../../../settings/files/config-path.ts';
import {findIgnoredKeys} from '../../../settings/options/template-layer.ts';
import {findUndeclared} from '../../../templates/expand-template.ts';
import {findTemplate, findTemplates} from '../../../templates/find-templates.ts';
import {readTemplate, readTemplates} from '../../../templates/read-template.ts';
import type {Template} from '../../../templates/template.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {plural, shorten} from '../../../wording.ts';
import {findMistake, findNamedFiles, hasCommands} from '../../run/template/named-files.ts';
import type {TemplateRun} from './template-verb.ts';

export async function listTemplates({
	places,
	settings,
	environment,
}: TemplateRun): Promise<ExitCode> {
	const readings = await readTemplates(findTemplates(places));
	const templates = readings.flatMap((reading) => ('template' in reading ? reading.template : []));
	const broken = readings.length - templates.length;
	const format = {format: settings.output, toJson: templateToJson, toText: formatTemplates};
	await printList(templates, format, environment);
	if (broken > 0) {
		const count = plural(broken, 'template');
		printInfo(`${count} cannot be read; chat templates check says why`, environment);
	}
	if (readings.length === 0) {
		const place = places.own === undefined ? '' : `; yours go into ${places.own}`;
		printInfo(`there are no templates yet${place}`, environment);
	}
	return 0;
}

function templateToJson({name, kind, description, argumentHint, params, path}: Template) {
	return {name, kind, description, argument_hint: argumentHint, params, path};
}

async function formatTemplates(templates: readonly Template[]): Promise<string> {
	const rows = templates.map(({name, argumentHint, description}) => [
		stripToLine(`${name} ${shorten(argumentHint, 40)}`.trimEnd()),
		stripToLine(shorten(description, 100)),
	]);
	return await alignColumns(rows, {maxWidth: 32});
}

export async function showTemplate({words, places, environment}: TemplateRun): Promise<ExitCode> {
	const {path} = await readTemplate(findTemplate(words[0] ?? '', places));
	return await printExact(readFileSync(path, 'utf8').replace(/\n$/, ''), environment);
}

export async function printPath({words, places, environment}: TemplateRun): Promise<ExitCode> {
	const [name] = words;
	const path = name === undefined ? requirePath(places.own) : findTemplate(name, places).path;
	return await printExact(path, environment);
}

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
		...(hasCommands(template) ? ['contains a shell command, which chat does not run'] : []),
	];
	for (const remark of remarks) printInfo(`${path}: ${remark}`, environment);
}

function describeUndeclared(names: readonly string[]): string {
	const stay = names.length === 1 ? 'stays text; declare it' : 'stay text; declare them';
	return `${names.map((name) => `$${name}`).join(', ')} ${stay} in params: [${names.join(', ')}]`;
}
