/** Templates in a session: the prompt of a call, its settings, the list and the help. */
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Attachment} from '../../src/chat/prompt.ts';
import {createValueLister} from '../../src/cli/run/repl/list-values.ts';
import {expandCall, explainTemplate} from '../../src/cli/run/template/session-templates.ts';
import type {Run} from '../../src/cli/run/turn-runner.ts';
import type {Environment} from '../../src/environment.ts';
import {toChatError} from '../../src/errors.ts';
import {loadSettings} from '../../src/settings/options/load-settings.ts';
import {createHome} from '../helpers/settings-home.ts';
import {writeTree} from '../input/input-helpers.ts';
import type {Files} from '../templates/template-files.ts';

const review = `---
description: Reviews a diff
argument-hint: "[focus]"
model: luna
system: You review in $language.
temperature: 0.5
options: {top_k: 40}
params: {language: English, tone: }
---
Review this in $language, $tone. Focus: $ARGUMENTS
`;

/** A session in a home folder with these templates. */
function sessionWith(templates: Files) {
	const {source, home, directory} = createHome({config: {temperature: 1}});
	writeTree(join(directory, 'templates'), templates);
	const environment = {
		variables: {},
		homedir: home,
		cwd: home,
		...source,
	} as unknown as Environment;
	const {settings} = loadSettings({}, environment);
	const run = {settings, servers: undefined, signal: new AbortController().signal};
	return {
		home,
		list: () => createValueLister(run as Run, environment)({type: 'templates'}),
		explain: (name: string) => explainTemplate(name, run, environment),
		expand: (name: string, argument = '', attachments: readonly Attachment[] = []) =>
			expandCall({name, argument}, attachments, run, environment),
		/** Returns why a call cannot be expanded. */
		refuse: async (name: string, argument = '', attachments: readonly Attachment[] = []) => {
			const call = expandCall({name, argument}, attachments, run, environment);
			return await call.then(
				() => 'expanded',
				(error: unknown) => toChatError(error).message,
			);
		},
	};
}

const notes: Attachment = {type: 'file', name: 'notes.txt', text: 'N'};

describe('a call', () => {
	test('gives parameters first, and then arguments as they are typed', async () => {
		const {expand} = sessionWith({'review.md': review});
		const words = `language="Swiss German" tone=don't  "a b"  c=d $tone`;
		const {prompt, settings} = await expand('review', words);
		expect(prompt?.text).toBe(`Review this in Swiss German, don't. Focus: "a b"  c=d $tone`);
		const place = 'the template review';
		expect(settings).toEqual({
			system: 'You review in Swiss German.',
			options: {
				model: 'MODEL-5.6-luna',
				temperature: 0.5,
				extraFields: {top_k: 40},
				fieldSources: {model: place, temperature: place, top_k: place},
			},
		});
	});

	test('says how to give what is missing', async () => {
		const {refuse} = sessionWith({
			'review.md': review,
			'explain.md': '---\nargument-hint: <topic> <for>\n---\nExplain $1 for $2.',
			'sum.md': 'Sum up: $INPUT',
			'new.md': 'As $1.',
		});
		for (const [name, argument, message] of [
			['review', '', 'needs tone: /review tone=… [focus]'],
			['explain', 'x', 'needs 2 arguments: /explain <topic> <for>'],
			['sum', '', 'needs a text: /sum your text, or attach a file first'],
			['new', '', 'needs an argument: /t:new …'],
		] as const) {
			expect(await refuse(name, argument)).toBe(`the template ${name} ${message}`);
		}
		expect(await refuse('sum', '', [notes])).toBe('expanded');
	});

	test('reads no file outside of the folder of the template', async () => {
		const {refuse, expand} = sessionWith({
			'out.md': '---\nfiles: [../secret.txt]\n---\nUse it.',
			'say.md': '---\n---\nSee @../secret.txt.',
			'../secret.txt': 'SECRET',
		});
		expect(await refuse('out')).toBe(
			'the template out names ../secret.txt, which is outside of its folder',
		);
		const {prompt, notices} = await expand('say');
		expect(prompt?.attachments).toEqual([]);
		expect(notices.join()).toContain('to attach it: /file');
	});

	test('of a role alone has no prompt; with words or files it has', async () => {
		const {expand} = sessionWith({
			'pirate.md': 'You are a pirate.',
			'role.md': '---\nsystem: You are $who.\nparams: {who: }\n---\n',
		});
		for (const [name, argument, system] of [
			['pirate', '', 'You are a pirate.'],
			['role', 'who="a cat"', 'You are a cat.'],
		] as const) {
			expect(await expand(name, argument)).toMatchObject({prompt: undefined, settings: {system}});
		}
		expect((await expand('pirate', 'hello')).prompt?.text).toBe('hello');
		expect((await expand('pirate', '', [notes])).prompt?.attachments).toEqual([notes]);
	});

	test('reads no path', async () => {
		const {home, refuse} = sessionWith({});
		writeTree(home, {'here.md': 'From the working directory.', 'system.md': 'This too.'});
		expect(await refuse('here.md')).toBe('there is no template here');
		expect(await refuse('.')).toBe('there is no template .');
	});
});

test('the list has what each template is for, and leaves out what cannot be read', async () => {
	const {list} = sessionWith({
		'review.md': review,
		'git/commit.md': '---\ndescription: Writes a message\n---\nWrite one.',
		'broken.md': '---\nparams: [1]\n---\n',
		'pirate.md': 'You are a pirate.',
	});
	expect(await list()).toEqual([
		{text: 'git:commit', meaning: 'Writes a message', isPartial: false},
		{text: 'pirate', meaning: 'You are a pirate.', isPartial: true},
		{text: 'review', meaning: '[focus]: Reviews a diff', isPartial: true},
	]);
});

test('the help shows the parameters and the settings', async () => {
	const {explain} = sessionWith({'review.md': review});
	const rows = await explain('review');
	expect(rows.slice(0, -1)).toEqual([
		['/review [focus]', 'Reviews a diff'],
		['language=…', 'default: English'],
		['tone=…', 'required'],
		['options', '{"top_k":40}'],
		['model', 'luna'],
		['system', 'You review in $language.'],
		['temperature', '0.5'],
	]);
	expect(rows.at(-1)?.[1]).toMatch(/review\.md$/);
});
