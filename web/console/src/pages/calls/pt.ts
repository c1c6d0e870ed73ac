export const callsPt = {
  title: 'Ligações',
};
