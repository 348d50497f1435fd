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
import {changeConfig, createConfig} from '../../../src/settings/files/update-config.ts';
import {createHome} from '../../helpers/settings-home.ts';

describe('a change of the config file', () => {
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
});
