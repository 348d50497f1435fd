/** Web pages cited by answers. */

export type Source = {
	/** `http:` or `https:`. */
	readonly url: string;
	readonly title?: string | undefined;
	/** The cited text in its step's answer, in characters as the service counts them. */
	readonly start?: number | undefined;
	readonly end?: number | undefined;
};

/** Returns each page once, in the order of its first citation, with a title if any citation has one. */
export function pagesOf(sources: readonly Source[]): readonly Source[] {
	const pages = new Map<string, Source>();
	for (const {url, title} of sources) {
		const known = pages.get(url);
		if (known?.title === undefined) pages.set(url, {url, title});
	}
	return [...pages.values()];
}

/** Returns a numbered line for each page: `[1] A title: https://…`. */
export function linesOfSources(sources: readonly Source[]): readonly string[] {
	return pagesOf(sources).map(({url, title}, index) => {
		const name = title === undefined || title === url ? '' : `${title}: `;
		return `[${index + 1}] ${name}${url}`;
	});
}
