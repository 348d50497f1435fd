import {
	chownSync,
	lstatSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import {userInfo} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readConfig, selectLayers} from '../../../src/settings/files/config-file.ts';
import {changeConfig, createConfig} from '../../../src/settings/files/update-config.ts';
import {mergeSettings} from '../../../src/settings/options/merge.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';

describe('a change of the config file', () => {
	test('creates the file and its folders for the user alone', async () => {
		const {configPath: path, directory, config} = createHome();
		await changeConfig({path, profile: undefined}, {'max-tokens': 5});
		expect(config()).toEqual({'max-tokens': 5});
		expect([modeOf(path), modeOf(directory)]).toEqual(['600', '700']);
		expect(readFileSync(path, 'utf8')).toBe('{\n\t"max-tokens": 5\n}\n');
	});

	test('keeps everything else in its order', async () => {
		const before = {later: {deep: [1, null]}, 'a.b': 1, model: 'x', profiles: {work: {odd: 1}}};
		const {configPath: path, config} = createHome({config: before});
		await changeConfig({path, profile: undefined}, {model: 'terra'});
		await changeConfig({path, profile: 'work'}, {usage: true});
		const after = {...before, model: 'terra', profiles: {work: {odd: 1, usage: true}}};
		expect(JSON.stringify(config())).toBe(JSON.stringify(after));
	});

	test('removes a key, with the last key its profile, and with the last profile all of them', async () => {
		const {configPath: path, config} = createHome({
			config: {model: 'x', profiles: {work: {model: 'y', usage: true}}},
		});
		expect(await changeConfig({path, profile: undefined}, {model: undefined})).toBe(true);
		expect(await changeConfig({path, profile: 'work'}, {model: undefined})).toBe(true);
		expect(config()).toEqual({profiles: {work: {usage: true}}});
		expect(await changeConfig({path, profile: 'work'}, {usage: undefined})).toBe(true);
		expect(config()).toEqual({});
	});

	test.each(['{"model": ', '[]', '', '{"profiles": 5}'])(
		'does not change a file with a mistake: %j',
		async (text) => {
			const {configPath: path} = createHome({config: text});
			const place = {path, profile: 'work'};
			const failure = {kind: 'config', message: expect.stringContaining(path)};
			await expect(changeConfig(place, {model: 'x'})).rejects.toMatchObject(failure);
			await expect(changeConfig(place, {model: undefined})).rejects.toMatchObject(failure);
			expect(readFileSync(path, 'utf8')).toBe(text);
		},
	);

	test('changes the target of a link', async () => {
		const {configPath: path, directory} = createHome({config: {model: 'x'}});
		const target = join(directory, 'dotfiles.json');
		renameSync(path, target);
		symlinkSync(target, path);
		await changeConfig({path, profile: undefined}, {model: 'y'});
		expect(lstatSync(path).isSymbolicLink()).toBe(true);
		expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({model: 'y'});
	});

	test('is refused if the file or its folder is a link without a target', async () => {
		const {configPath: path, directory, home} = createHome({config: {}});
		rmSync(path);
		symlinkSync(join(home, 'unmounted', 'config.json'), path);
		const failure = {
			kind: 'create',
			message: `cannot read ${path} (the link ${path} leads nowhere)`,
		};
		await expect(changeConfig({path, profile: undefined}, {model: 'y'})).rejects.toMatchObject(
			failure,
		);
		await expect(createConfig(path)).rejects.toMatchObject(failure);
		expect(lstatSync(path).isSymbolicLink()).toBe(true);
		rmSync(directory, {recursive: true});
		symlinkSync(join(home, 'unmounted'), directory);
		const ofFolder = {message: `cannot read ${path} (the link ${directory} leads nowhere)`};
		await expect(changeConfig({path, profile: undefined}, {model: 'y'})).rejects.toMatchObject(
			ofFolder,
		);
	});

	test.skipIf(userInfo().uid !== 0)(
		'is refused if root does it in the folder of another user',
		async () => {
			const {configPath: path, directory} = createHome({config: {model: 'x'}});
			chownSync(directory, 65_534, 65_534);
			await expect(changeConfig({path, profile: undefined}, {model: 'y'})).rejects.toMatchObject({
				kind: 'create',
				message: `cannot write ${path}: ${directory} belongs to another user`,
			});
			expect(readFileSync(path, 'utf8')).toBe('{"model":"x"}');
			expect(readdirSync(directory)).toEqual(['config.json']);
		},
	);

	test('creates an empty file only if there is none', async () => {
		const none = createHome();
		await createConfig(none.configPath);
		expect(none.config()).toEqual({});
		const broken = createHome({config: '{'});
		await createConfig(broken.configPath);
		expect(readFileSync(broken.configPath, 'utf8')).toBe('{');
	});
});

test('conf and a run without conf read the same from the file', async () => {
	const {configPath: path, home} = createHome({config: {later: 1, profiles: {b: {x: null}}}});
	await changeConfig({path, profile: undefined}, {'base-url': 'https://api.example.com/a.b'});
	await changeConfig({path, profile: undefined}, {temperature: 0.5});
	await changeConfig({path, profile: 'work'}, {system: 'Zeilen\n"ß" 🙂\u2028'});
	const {default: Conf} = await import('conf');
	const conf = new Conf({cwd: `${home}/.config/chat`, accessPropertiesByDotNotation: false});
	expect(conf.path).toBe(path);
	const config = readConfig(path, 'linux');
	expect({...config.values, profiles: config.profiles}).toEqual({...conf.store});
	const {settings} = mergeSettings({}, {}, selectLayers(config, {name: 'work', isFromFlag: false}));
	expect(settings).toMatchObject({
		temperature: conf.get('temperature'),
		system: {text: 'Zeilen\n"ß" 🙂\u2028'},
	});
	expect(settings.baseUrl?.href).toBe(conf.get('base-url'));
});
