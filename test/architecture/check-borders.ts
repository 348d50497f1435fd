/**
 * Holds one source to the tables of `borders.ts`; says what it breaks, one line each.
 */
import {posix} from 'node:path';
import {type Ban, type Border, bans, borders, heldModules, type Use} from './borders.ts';
import {type ModuleImport, type ScannedSource, scanSource} from './scan-source.ts';

/** @param file its path inside `src/`, with `/` between folders */
export function checkBorders(file: string, source: string): readonly string[] {
	const border = findLongest(borders, ({place}) => place, file);
	if (border === undefined) return [`${file}: has no place in the table of borders`];
	const scanned = scanSource(source);
	return [
		...scanned.imports.flatMap((imported) => checkImport(file, border, imported)),
		...scanned.computedImports.map((line) => `${file}:${line}: imports what no test can follow`),
		...bans.flatMap((ban) => checkBan(file, scanned, ban)),
	];
}

function checkImport(file: string, border: Border, imported: ModuleImport): readonly string[] {
	const {specifier, line, form} = imported;
	const crosses = (target: string, way = '') => [
		`${file}:${line} → ${specifier}: crosses the border: ` +
			`${border.place} may not import ${target}${way}`,
	];
	const permission = findPermission(file, border, specifier);
	if (specifier.startsWith('.')) {
		const target = posix.join(posix.dirname(file), specifier);
		if (target.startsWith('../')) return crosses('what lies outside of src/');
		if (isWithin(border.place, target)) return [];
		if (permission === undefined) {
			return crosses(findLongest(borders, ({place}) => place, target)?.place ?? target);
		}
		return isCovered(permission[1], form) ? [] : crosses(permission[0], wayOf[permission[1]]);
	}
	const name = packageOf(specifier);
	const holder = heldModules[name];
	if (holder !== undefined && form !== 'types' && file !== holder) {
		return crosses(`${name}, which ${holder} holds for all`);
	}
	if (permission === undefined) return crosses(name);
	return isCovered(permission[1], form) ? [] : crosses(name, wayOf[permission[1]]);
}

/** The row of the table that an import needs. */
function findPermission(file: string, border: Border, specifier: string) {
	if (specifier.startsWith('.')) {
		const target = posix.join(posix.dirname(file), specifier);
		return findLongest(Object.entries(border.files), ([place]) => place, target);
	}
	const name = packageOf(specifier);
	const row = name.startsWith('node:') ? 'node:*' : name;
	return Object.entries(border.packages).find(([key]) => key === row);
}

/** The rows of the table that one source makes use of, each as `place → target`. */
export function listPermissions(file: string, source: string): readonly string[] {
	const border = findLongest(borders, ({place}) => place, file);
	if (border === undefined) return [];
	return scanSource(source).imports.flatMap(({specifier}) => {
		const permission = findPermission(file, border, specifier);
		return permission === undefined ? [] : [`${border.place} → ${permission[0]}`];
	});
}

const wayOf: Readonly<Record<Use, string>> = {
	any: '',
	lazy: ' but by a dynamic import',
};

function isCovered(use: Use, form: ModuleImport['form']): boolean {
	return use === 'any' || form === 'types' || use === form;
}

/** The name of a package without the path inside of it; Node's own modules keep theirs. */
function packageOf(specifier: string): string {
	if (specifier.startsWith('node:')) return specifier;
	return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function checkBan(file: string, {code}: ScannedSource, ban: Ban): readonly string[] {
	if (ban.allowedIn.some((place) => isWithin(place, file))) return [];
	const searched = ban.isModuleLevel === true ? blankInsideBrackets(code) : code;
	return [...searched.matchAll(new RegExp(ban.pattern, 'g'))].map((match) => {
		const line = code.slice(0, match.index).split('\n').length;
		return `${file}:${line}: ${ban.what}`;
	});
}

function blankInsideBrackets(code: string): string {
	let depth = 0;
	let outside = '';
	for (const character of code) {
		if (')]}'.includes(character)) depth -= 1;
		outside += depth === 0 || /\s/.test(character) ? character : '·';
		if ('([{'.includes(character)) depth += 1;
	}
	return outside;
}

/** The row whose place is the file or holds it; of several, the most exact. */
function findLongest<Row>(
	rows: readonly Row[],
	placeOf: (row: Row) => string,
	file: string,
): Row | undefined {
	const matches = rows.filter((row) => isWithin(placeOf(row), file));
	return matches.sort((a, b) => placeOf(b).length - placeOf(a).length)[0];
}

function isWithin(place: string, file: string): boolean {
	return place.endsWith('/') ? file.startsWith(place) : file === place;
}
