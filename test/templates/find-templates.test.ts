import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isTrusted, readTrust, trustFiles} from '../../src/files/trust.ts';
import {
	findInWork,
	findTemplate,
	findTemplates,
	findTrusted,
	isTemplateName,
} from '../../src/templates/find-templates.ts';
import {readTemplate} from '../../src/templates/read-template.ts';
import {createDirectory} from '../input/input-helpers.ts';
import {type Files, placesOf} from './template-files.ts';

function namesIn(files: Files): readonly string[] {
	const own = createDirectory(files);
	return findTemplates(placesOf(own, {own})).map(({name}) => name);
}

describe('the names of templates', () => {
	test('come from files and folders', () => {
		const files = {
			'review.md': '',
			'git/commit.md': '',
			'git/deep/er.md': '',
			'pdf/SKILL.md': '',
			'pdf/docs/forms.md': '',
			'summarize/system.md': '',
			'summarize/user.md': '',
			'README.md': '',
			'notes.txt': '',
			'.hidden/x.md': '',
		};
		expect(namesIn(files)).toEqual(['git:commit', 'git:deep:er', 'pdf', 'review', 'summarize']);
		const skills = createDirectory(files);
		const found = findTemplates(placesOf(skills, {skills}));
		expect(found.map(({name}) => name)).toEqual(['pdf', 'summarize']);
	});

	test('are left out if they could not be typed', () => {
		const files = {'-rf.md': '', 'a b.md': '', 'c\u001b[31m.md': '', 'ä+1.md': ''};
		expect(namesIn(files)).toEqual(['ä+1']);
		expect(['../x', 'a/b', 'a:', '', '.x', 'x.', 'a\nb'].filter(isTemplateName)).toEqual([]);
		expect(['x', 'git:commit', 'v1.2', '日本'].every(isTemplateName)).toBe(true);
	});

	test('follow a link to a file or a skill, and no other', () => {
		const root = createDirectory({'far/x.md': '', 'far/s/SKILL.md': '', 'here/y.md': ''});
		symlinkSync(join(root, 'far/x.md'), join(root, 'here/linked.md'));
		symlinkSync(join(root, 'far/s'), join(root, 'here/skill'));
		symlinkSync(join(root, 'here'), join(root, 'here/loop'));
		symlinkSync(join(root, 'gone'), join(root, 'here/gone.md'));
		mkdirSync(join(root, 'here/folder.md'));
		const found = findTemplates(placesOf(root, {own: join(root, 'here')}));
		expect(found.map(({name}) => name)).toEqual(['linked', 'skill', 'y']);
	});
});

describe('a template is found', () => {
	test('or the closest one is proposed', () => {
		const root = createDirectory({'t/review.md': '', 'empty/x.txt': ''});
		const places = placesOf(root, {own: join(root, 't')});
		const hint = (word: string) => {
			try {
				return findTemplate(word, places);
			} catch (error) {
				return (error as {details: object}).details;
			}
		};
		expect(hint('reviw')).toEqual({hint: 'Did you mean review?', closestNames: ['review']});
		expect(hint('other')).toEqual({hint: 'chat templates list shows them.', closestNames: []});
		expect(() => findTemplate('./empty', places)).toThrow(
			'./empty has neither SKILL.md nor system.md',
		);
	});
});

describe('trust', () => {
	test('finds those of the folder and the folders above it, without their settings', async () => {
		const root = createDirectory({
			'repo/.agents/skills/pdf/SKILL.md': '',
			'repo/.claude/commands/git/commit.md': '',
			'repo/.claude/commands/new.md': '',
			'repo/review.md': '',
			'repo/src/deep/x.ts': '',
		});
		const store = join(root, 'trusted.json');
		const all = findInWork(join(root, 'repo'));
		expect(all.map(({name}) => name)).toEqual(['pdf', 'git:commit', 'new']);
		const agreed = all.filter(({name}) => name !== 'new').map(({path}) => path);
		await trustFiles(store, agreed, 'id');
		const namesAt = (path: string) =>
			findTrusted(join(root, path), readTrust(store)).map(({name, isTextOnly}) => [
				name,
				isTextOnly,
			]);
		const expected = [
			['pdf', true],
			['git:commit', true],
		];
		expect(namesAt('repo')).toEqual(expected);
		expect(namesAt('repo/src/deep')).toEqual(expected);
		expect(namesAt('.')).toEqual([]);
		writeFileSync(join(root, 'repo/.agents/skills/pdf/SKILL.md'), 'changed');
		expect(namesAt('repo')).toEqual([['git:commit', true]]);
	});

	test('is of the text that is used: a file exchanged in between is refused', async () => {
		const root = createDirectory({
			'.agents/skills/one/SKILL.md': 'Agreed',
			'.agents/skills/two/system.md': 'Agreed',
			'.agents/skills/two/user.md': 'Nobody has agreed to this',
		});
		const store = join(root, 'trusted.json');
		const agreed = findInWork(root).map(({path}) => path);
		await trustFiles(store, agreed, 'id');
		const [one, two] = findTrusted(root, readTrust(store));
		if (one === undefined || two === undefined) throw new Error('not found');
		expect(await readTemplate(two)).toMatchObject({body: 'Agreed', opening: ''});
		const template = await readTemplate(one);
		writeFileSync(one.path, 'Exchanged');
		await expect(readTemplate(one)).rejects.toThrow('has changed since you agreed to it');
		expect(isTrusted(one.path, readTrust(store))).toBe(false);
		expect(isTrusted(one.path, readTrust(store), template.hash)).toBe(true);
	});

	test('is nothing without a readable file', () => {
		const root = createDirectory({'t.json': 'not JSON', 'list.json': '{"files": {"/x": 5}}'});
		expect(readTrust(undefined)).toEqual({});
		expect(readTrust(join(root, 'gone'))).toEqual({});
		expect(readTrust(join(root, 't.json'))).toEqual({});
		expect(readTrust(join(root, 'list.json'))).toEqual({});
		expect(isTrusted('/gone', {'/gone': ''})).toBe(false);
	});
});
