/** Folders of templates for a test. */
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {findTemplate, type TemplatePlaces} from '../../src/templates/find-templates.ts';
import {readTemplate} from '../../src/templates/read-template.ts';
import type {Template} from '../../src/templates/template.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Makes a folder with files in it, gone after the test. */
export function createTree(files: Files): string {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'chat-templates-')));
	onTestFinished(() => rmSync(root, {recursive: true, force: true}));
	writeTree(root, files);
	return root;
}

export function writeTree(root: string, files: Files): void {
	for (const [name, content] of Object.entries(files)) {
		const path = join(root, name);
		mkdirSync(dirname(path), {recursive: true});
		writeFileSync(path, content);
	}
}

/** Returns places without templates but these. */
export function placesOf(cwd: string, places: Partial<TemplatePlaces> = {}): TemplatePlaces {
	return {
		own: undefined,
		trusted: [],
		skills: undefined,
		others: [],
		cwd,
		home: undefined,
		...places,
	};
}

/** Reads a template from its text. */
export async function templateOf(content: string | Uint8Array, name = 'x.md'): Promise<Template> {
	const cwd = createTree({[name]: content});
	return await readTemplate(findTemplate(`./${name}`, placesOf(cwd)));
}
