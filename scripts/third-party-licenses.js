/**
 * Collects the licences of all packages and data in a bundle. Each package must have a licence that
 * is known here, and include its text.
 */
import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';

const knownLicenses = new Set([
	'0BSD',
	'Apache-2.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'BlueOak-1.0.0',
	'ISC',
	'MIT',
	'(MIT OR CC0-1.0)',
]);

/** Files of `src/` with data of others, and the file in `scripts/licenses/` that says whose. */
const dataLicenses = {'src/models/model-table.json': 'models.dev.txt'};

const licenseFile = /^(licen[cs]e|copying|notice)/i;
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const rule = '-'.repeat(80);

/**
 * @param {string} root folder that the paths of the metafile start from
 * @param {{outputs: Record<string, {inputs: Record<string, {bytesInOutput: number}>}>}} metafile
 * of esbuild
 * @returns {Promise<string>} name, version, licence and its text for each package
 * @throws when a package has a licence unknown here, or no licence file; provide a missing file at `scripts/licenses/<name>.txt`
 */
export async function collectLicenses(root, metafile) {
	const files = bundledFiles(metafile);
	const folders = [...new Set(files.flatMap(folderOfPackage))];
	const entries = await Promise.all([
		...folders.map((folder) => describePackage(root, folder)),
		...files.flatMap((file) => dataLicenses[file] ?? []).map((name) => describeData(root, name)),
	]);
	const unique = [...new Set(entries)].sort((a, b) => (a < b ? -1 : 1));
	const title =
		'This program contains code of the packages below, and data, each under its own licence.\n';
	return [title, ...unique].join(`\n${rule}\n`);
}

function bundledFiles(metafile) {
	return Object.values(metafile.outputs).flatMap(({inputs}) =>
		Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
	);
}

function folderOfPackage(path) {
	return path.match(packageFolder) ?? [];
}

async function describePackage(root, folder) {
	const {name, version, license} = JSON.parse(
		await readFile(join(root, folder, 'package.json'), 'utf8'),
	);
	if (!knownLicenses.has(license)) {
		throw new Error(
			`${name}@${version} has the licence ${JSON.stringify(license)}, not listed in ` +
				'scripts/third-party-licenses.js: is it compatible?',
		);
	}
	const texts = await readLicenseTexts(root, folder, name);
	if (texts.length === 0) {
		throw new Error(
			`${name}@${version} comes without a licence file: ` +
				`put its text into scripts/licenses/${name}.txt`,
		);
	}
	return [`${name} ${version} (${license})`, ...texts].join('\n\n').concat('\n');
}

async function describeData(root, name) {
	return await readFile(join(root, 'scripts', 'licenses', name), 'utf8');
}

async function readLicenseTexts(root, folder, name) {
	const files = (await readdir(join(root, folder))).filter((file) => licenseFile.test(file)).sort();
	const paths = files.map((file) => join(root, folder, file));
	const substitute = join(root, 'scripts', 'licenses', `${name}.txt`);
	if (paths.length === 0 && existsSync(substitute)) paths.push(substitute);
	const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
	return texts.map((text) => text.replaceAll('\r\n', '\n').trim());
}
