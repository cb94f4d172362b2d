-- The root dealer belongs to the operators of the installation.
INSERT INTO `dealer` (`id`, `title`, `ui_domain`, `settings`, `features`) VALUES (1, 'Fleet Desk', NULL, '{}', '[]');
