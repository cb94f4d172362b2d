-- Whoever runs an installation is its first dealer.
INSERT INTO `dealer` (`id`, `title`, `ui_domain`, `settings`, `features`) VALUES (1, 'Fleet Desk', NULL, '{}', '[]');
