/**
 * Checks one source against the tables of `boundaries.ts`; returns one line per violation.
 */
import {posix} from 'node:path';
import {type Ban, type Boundary, bans, boundaries, heldModules, type Use} from './boundaries.ts';
import {type ModuleImport, type ScannedSource, scanSource} from './scan-source.ts';

/** @param file its path inside `src/`, with `/` between folders */
export function checkBoundaries(file: string, source: string): readonly string[] {
	const boundary = findLongest(boundaries, ({place}) => place, file);
	if (boundary === undefined) return [`${file}: is not covered by the table of boundaries`];
	const scanned = scanSource(source);
	return [
		...scanned.imports.flatMap((imported) => checkImport(file, boundary, imported)),
		...scanned.computedImports.map(
			(line) => `${file}:${line}: imports a computed path, which cannot be checked`,
		),
		...bans.flatMap((ban) => checkBan(file, scanned, ban)),
	];
}

function checkImport(file: string, boundary: Boundary, imported: ModuleImport): readonly string[] {
	const {specifier, line, form} = imported;
	const crosses = (target: string, way = '') => [
		`${file}:${line} → ${specifier}: crosses a boundary: ` +
			`${boundary.place} may not import ${target}${way}`,
	];
	const permission = findPermission(file, boundary, specifier);
	if (specifier.startsWith('.')) {
		const target = posix.join(posix.dirname(file), specifier);
		if (target.startsWith('../')) return crosses('anything outside of src/');
		const owner = findLongest(boundaries, ({place}) => place, target)?.place;
		if (owner === boundary.place) return [];
		if (permission === undefined) {
			return crosses(owner ?? target);
		}
		return isCovered(permission[1], form) ? [] : crosses(permission[0], wayOf[permission[1]]);
	}
	const name = packageOf(specifier);
	const holder = heldModules[name];
	if (holder !== undefined && form !== 'types' && file !== holder) {
		return crosses(`${name}; import ${holder} instead`);
	}
	if (permission === undefined) return crosses(name);
	return isCovered(permission[1], form) ? [] : crosses(name, wayOf[permission[1]]);
}

/** Finds the row of the table that permits an import. */
function findPermission(file: string, boundary: Boundary, specifier: string) {
	if (specifier.startsWith('.')) {
		const target = posix.join(posix.dirname(file), specifier);
		return findLongest(Object.entries(boundary.files), ([place]) => place, target);
	}
	const name = packageOf(specifier);
	const row = name.startsWith('node:') ? 'node:*' : name;
	return Object.entries(boundary.packages).find(([key]) => key === row);
}

/** Finds the circles of imports, of types and dynamic ones too. */
export function findCircles(
	files: readonly string[],
	readSource: (file: string) => string,
): readonly string[] {
	const circles: string[] = [];
	const done = new Set<string>();
	const visit = (file: string, path: readonly string[]) => {
		const start = path.indexOf(file);
		if (start !== -1) circles.push([...path.slice(start), file].join(' → '));
		if (start !== -1 || done.has(file)) return;
		for (const {specifier} of scanSource(readSource(file)).imports) {
			if (!specifier.startsWith('.')) continue;
			const target = posix.join(posix.dirname(file), specifier);
			if (files.includes(target)) visit(target, [...path, file]);
		}
		done.add(file);
	};
	for (const file of files) visit(file, []);
	return circles;
}

/** Lists the rows of the table that one source uses, each as `place → target`. */
export function listPermissions(file: string, source: string): readonly string[] {
	const boundary = findLongest(boundaries, ({place}) => place, file);
	if (boundary === undefined) return [];
	return scanSource(source).imports.flatMap(({specifier}) => {
		const permission = findPermission(file, boundary, specifier);
		return permission === undefined ? [] : [`${boundary.place} → ${permission[0]}`];
	});
}

const wayOf: Readonly<Record<Use, string>> = {any: '', lazy: ' except by a dynamic import'};

function isCovered(use: Use, form: ModuleImport['form']): boolean {
	return use === 'any' || form === 'types' || use === form;
}

/** Returns the name of a package without the path inside it; Node's own modules keep theirs. */
function packageOf(specifier: string): string {
	if (specifier.startsWith('node:')) return specifier;
	return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function checkBan(
	file: string,
	{code, textsBesideHints}: ScannedSource,
	ban: Ban,
): readonly string[] {
	if (ban.allowedIn.some((place) => isWithin(place, file))) return [];
	const plain = ban.isInText === true ? textsBesideHints : code;
	const searched = ban.isModuleLevel === true ? blankInsideBrackets(code) : plain;
	return [...searched.matchAll(new RegExp(ban.pattern, 'g'))].map((match) => {
		const line = code.slice(0, match.index).split('\n').length;
		return `${file}:${line}: ${ban.what}`;
	});
}

/** Several bans search each source. */
const outsides = new Map<string, string>();

function blankInsideBrackets(code: string): string {
	const known = outsides.get(code);
	if (known !== undefined) return known;
	let depth = 0;
	let outside = '';
	for (const character of code) {
		if (')]}'.includes(character)) depth -= 1;
		outside += depth === 0 || /\s/.test(character) ? character : '·';
		if ('([{'.includes(character)) depth += 1;
	}
	outsides.set(code, outside);
	return outside;
}

/** Finds the most exact row whose place is the file or contains it. */
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
