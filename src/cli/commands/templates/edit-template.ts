/** `chat templates edit`: opens a template in an editor, checking it afterwards. */
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {writeUserFile} from '../../../files/private-files.ts';
import {printInfo} from '../../../output/print.ts';
import {requirePath} from '../../../settings/files/config-path.ts';
import {findTemplate, findTemplates, isPath} from '../../../templates/find-templates.ts';
import {fileOf} from '../../../templates/write-template.ts';
import {findEditor, runEditor} from '../../run/run-editor.ts';
import {checkTemplates} from './show-templates.ts';
import type {TemplateRun} from './template-verb.ts';

const draft = `---
description:
argument-hint: "[focus]"
# model: terra
# system: You are a careful reviewer.
# params: {language: English}
---
Review this. Focus: $ARGUMENTS

$INPUT
`;

/**
 * Removes a new template left unchanged.
 *
 * @throws {ChatError} `input` for a path without a file: new templates are made by name
 */
export async function editTemplate(run: TemplateRun): Promise<ExitCode> {
	const {words, places, environment} = run;
	const [name = ''] = words;
	// Before the file is made.
	findEditor(environment);
	const isKnown = isPath(name) || findTemplates(places).some((found) => found.name === name);
	const path = isKnown ? findTemplate(name, places).path : fileOf(requirePath(places.own), name);
	const isNew = !existsSync(path);
	if (isNew && isKnown) {
		throw new ChatError('input', `no such file: ${path}`, {
			hint: 'A new template needs a name: chat templates edit review',
		});
	}
	if (isNew) writeUserFile(path, draft, environment.createId());
	try {
		await runEditor(path, environment);
	} finally {
		if (isNew && existsSync(path) && readFileSync(path, 'utf8') === draft) rmSync(path);
	}
	if (existsSync(path)) return await checkTemplates(run);
	if (!isNew) throw new ChatError('input', `${path} is gone: the editor left no file`);
	printInfo(`${name} was not changed, and not saved`, environment);
	return 0;
}
