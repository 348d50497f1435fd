/** `chat templates list`: prints the templates with what each is for. */
import type {ExitCode} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printInfo, printList} from '../../../output/print.ts';
import {findTemplates} from '../../../templates/find-templates.ts';
import {readTemplates} from '../../../templates/read-template.ts';
import type {Template} from '../../../templates/template.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {plural, shorten} from '../../../wording.ts';
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

function formatTemplates(templates: readonly Template[]): string {
	const rows = templates.map(({name, argumentHint, description}) => [
		stripToLine(`${name} ${shorten(argumentHint, 40)}`.trimEnd()),
		stripToLine(shorten(description, 100)),
	]);
	return alignColumns(rows, {maxWidth: 32});
}
